"""What the name of a column says about it, in the languages that tables are often written in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from shoal.read.called import COUNTED, NUMBER, first_fitting, words_of

Meaning = Literal[
    "free text",
    "person",
    "postcode",
    "birth",
    "age",
    "sex",
    "sensitive",
    "place",
    "weight",
    "household",
    "known",
    "number",
    "name",
]


class Hint(NamedTuple):
    """What a name means, and the word of it that says so.

    `person` points at somebody directly, `known` is what neighbours know of each other. `number`
    and `name` may be of people or not (`ward id`, `brand name`): the values decide.
    """

    meaning: Meaning
    word: str


# Words are written without accents, ß as ss. A star stands for any ending: languages that join
# words (Geburtsdatum) and inflect them need it.
FREE_TEXT = """
    note notes comment* remark* freetext freitext narrative* memo anamnes* description*
    bemerkung* kommentar* notiz* anmerkung* beschreibung* remarque* commentaire* observacion*
    comentario* nota notas osservazion* opmerking* anmarkning* uwagi
"""
PERSON = """
    ssn nino nhs nif dni cpf bsn pesel ahv nir cnp curp aadhaar cpr mrn personnummer
    fodselsnummer socialsecurity* sozialversicherung* versichert* krankenversichert* passport*
    reisepass* ausweis* codicefiscale nationalid taxid steuernummer steuerid
    email* mail courriel correo phone* telephone telefon* telefono telefone tel mobile mobil
    handy handynummer cellphone fax
    iban account accountno accountnumber kontonummer kontonr creditcard* cardnumber kreditkarte*
    address* addr adresse* anschrift street strasse hausnummer rue calle direccion indirizzo
    endereco adres gade gata
    ip ipaddress imei imsi macaddress vin licenseplate licenceplate kennzeichen
    username login password* passwort* url website homepage photo foto signature
    firstname lastname surname forename fullname givenname familyname middlename maidenname
    birthname vorname nachname familienname geburtsname prenom apellido* cognome
    sobrenome apelido voornaam achternaam imie nazwisko fornamn efternamn fornavn efternavn
    etternavn initials uuid guid patientid personid userid customerid clientid employeeid
    patientennummer patientnumber fallnummer personalnummer kundennummer mitgliedsnummer
    matrikelnummer
"""
POSTCODE = """
    zip zipcode zipcodes zcta postcode postcodes postal postalcode plz postleitzahl codepostal
    codigopostal cap cep postnummer postnr postinumero pincode
"""
BIRTH = """
    dob birth* born bday geburt* geb gebdat naissance nacimiento nascita nascimento geboorte*
    fodsel* fodelse* urodzenia
"""
AGE = "age ages alter edad eta idade leeftijd wiek alder"
SEX = "sex gender geschlecht sexe sexo sesso genero genre geslacht plec kon kjonn"
SENSITIVE = """
    disease* diagnos* diag dx icd illness* sickness condition* symptom* treatment* therap*
    medication* medikament* medicament* drug drugs hiv aids disabilit* behinderung* krankheit*
    maladie* enfermedad* malattia* doenca* ziekte* choroba mental psychiatr* genetic* genotype*
    pregnan* schwanger* abortion* allerg*
    salary salaries income* wage wages earning* gehalt lohn einkommen* salaire* revenu* salario
    ingreso* stipendio reddito renda verdienst salaris inkomen* inntekt inkomst* dochod
    debt debts schulden creditscore
    religion* religious konfession* denomination faith glaube* political* politics vote
    gewerkschaft* sexual* criminal* crime crimes conviction* offence* offense* vorstrafe*
"""
PLACE = "lat latitude lon lng long longitude gps coordinate* geocode* breitengrad langengrad"
KNOWN = """
    race races ethnic* ethnie etnia nationalit* citizenship staatsangehoerig* staatsangehorig*
    country countries land pays pais paese region regions state states bundesland province county
    district city cities town stadt ort wohnort gemeinde ville ciudad citta cidade stad
    marital* familienstand civilstatus education* schooling bildung* degree schulabschluss
    occupation* job jobs beruf* profession* profesion workclass employer arbeitgeber employment
    language* sprache* langue idioma height weight groesse grosse gewicht
"""
# A weight in kilograms is KNOWN, or unclear: these words are of surveys alone.
WEIGHT = """
    surveyweight* sampleweight* samplingweight* personweight* householdweight* finalweight*
    designweight* expansionfactor* expansionweight* pweight* perwt perwgt pwgt* hhwt wtfinl fnlwgt
    hochrechnungsfaktor* stichprobengewicht* personengewicht* gewichtungsfaktor*
    facteurexpansion* factorexpansion* ponderacion*
"""
HOUSEHOLD = """
    household householdid householdno householdnr householdnumber householdkey hhid hhno hhnr
    haushaltid haushaltnr haushaltsid haushaltsnummer haushaltsnr idmenage numeromenage idhogar
    hogarid familyid familyno familynumber dwellingid
"""
NAME = "name names nom nome nombre nombres naam namn navn nazwa"
MONEY = """
    amount* balance* bill bills billing charge* cost* credit* debit* debt* earning* expense*
    expenditure* fee fees fare fares income* invoice* loan* money paid pay payment* payout*
    premium* price* profit* reimbursement* rent rents revenue* salar* sales savings spend* spent
    tax taxes turnover wage* ausgaben betrag betraege einkommen einnahmen gebuehr* gehalt*
    kosten* lohn* miete* preis* rechnung* steuer* umsatz* umsaetze cout couts depense* loyer*
    montant* prix revenu* salaire* costo* coste* gasto* importe* ingreso* pago* precio* prezzo*
    salario* spesa* stipendio*
"""
PEOPLE = """
    patient* person* individual* people customer* client* user* member* subject* employee*
    student* pupil* participant* respondent* resident* citizen* contact* owner* holder* case visit
    encounter admission record row account household kunde* kunden* mitarbeiter* mitglied* fall
    schueler*
    versicherten* paciente* cliente* empleado* salarie* malade* first last full given family
    middle maiden birth
"""
# A person and nothing else, in the singular: what ids are called, where they repeat.
ONE_PERSON = """
    patient patientin ptid patid pid person individual individuo individu subject subj subjid
    usubjid participant respondent
    proband client customer custid member memberid student studentid pupil resident citizen employee
    empid user kunde mitglied mitarbeiter schueler schuler versicherter teilnehmer paciente persona
    personne sujet sujeto cliente alumno miembro empleado eleve etudiant adherent malade salarie
    paziente soggetto
"""
# The first that fits counts: `name of the disease` is sensitive, `diagnosis note` is free text.
MEANINGS: tuple[tuple[Meaning, str], ...] = (
    ("free text", FREE_TEXT),
    ("household", HOUSEHOLD),
    ("person", PERSON),
    ("postcode", POSTCODE),
    ("birth", BIRTH),
    ("age", AGE),
    ("sex", SEX),
    ("sensitive", SENSITIVE),
    ("place", PLACE),
    ("weight", WEIGHT),
    ("known", KNOWN),
    ("number", NUMBER),
    ("name", NAME),
)


def hint_of(name: str) -> Hint | None:
    """What a column's name says, if anything.

    >>> hint_of("Date of Birth"), hint_of("patientID"), hint_of("message")
    (Hint(meaning='birth', word='birth'), Hint(meaning='person', word='id'), None)
    """
    words = words_of(name)
    person = _person_word(words)
    for meaning, known in MEANINGS:
        if meaning == "person" and person:
            return Hint("person", person)
        word = first_fitting(_candidates(words), known)
        if word:
            return Hint(meaning, word)
    return None


def says_money(name: str) -> bool:
    """
    >>> says_money("TotalCharges"), says_money("total protein")
    (True, False)
    """
    return first_fitting(words_of(name), MONEY) is not None


def names_a_person(name: str) -> bool:
    """Whether a name says one person and no more than that: not a count, nor an age.

    >>> names_a_person("patient"), names_a_person("Pat-Code"), names_a_person("patient score")
    (True, False, False)
    """
    words = words_of(name)
    known = f"{ONE_PERSON} {NUMBER} {COUNTED} code"
    return first_fitting(words, ONE_PERSON) is not None and all(
        first_fitting([word], known) for word in words
    )


def _candidates(words: Sequence[str]) -> list[str]:
    """Pairs first, for they say more: `birth name` is not a birth, `e-mail` not mail."""
    return ["".join(pair) for pair in pairwise(words)] + list(words)


def _person_word(words: Sequence[str]) -> str | None:
    """An id or name on its own or next to a word for people: `id`, `patient no`."""
    is_about_people = first_fitting(words, PEOPLE) is not None
    is_a_count = "of" in words or not is_about_people
    known = f"{NUMBER} {NAME}" if is_a_count else f"{NUMBER} {NAME} {COUNTED}"
    return first_fitting(words, known) if is_about_people or len(words) == 1 else None

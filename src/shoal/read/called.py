"""The words of a column's name, and whether they say that it tells people apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

NUMBER = "id ids identifier* identifiant kennung kennziffer identificador key schluessel schlussel"
COUNTED = "no nr num number nummer numero numer"  # "patient no" is an id, "number of visits" is not
# A star stands for any ending, accents are left out. A name with one of these is of something that
# a person has several of, or shares with others, whatever else it says: `patient visit id`.
OTHERS = """
    visit* encounter* admission* stay* episode* event* session* appointment* prescription* order*
    invoice* claim* sample* specimen* measurement* observation* test* trip* transaction* account*
    household* family contact* hospital* clinic* ward* doctor* physician* provider* nurse* teacher*
    fall fallnummer fallnr besuch* aufenthalt* aufnahme* termin* probe* rezept* rechnung* haushalt*
    klinik* krankenhaus* arzt* lehrer* visite* sejour* consultation* hopital* medecin* visita*
    ingreso* consulta* muestra* medico* medica* first last given middle maiden birth
"""
# The likeliest first: where a table has patients and employees, it is about patients.
LIKELY = (
    """
    patient* ptid patid pid person persons personid personne* persona personas people individual
    individuals individualid individuo* individu individus subject* subj
    subjid usubjid sujet* soggetto participant* teilnehm* proband* respondent* versichert* mrn ssn
    nino nhs nif dni cpf bsn pesel ahv nir cnp curp aadhaar cpr personnummer fodselsnummer
    sozialversicherung* codicefiscale nationalid paciente* malade* paziente*
    """,
    """
    client* customer* custid member* student* pupil* resident* citizen* holder* owner* kunde*
    mitglied* schueler* schuler* einwohner* matrikelnummer alumno* miembro* eleve* etudiant*
    adherent* socio*
    """,
    "employee* empid user* login mitarbeiter* personal* empleado* salarie* dipendente*",
)
# Perhaps of people: these say nothing about whose they are.
UNSURE = f"{NUMBER} {COUNTED} code study uuid guid email* mail courriel correo case record"
NAMES = "name names fullname"


def words_of(name: str) -> list[str]:
    """The words of a name in small letters, without accents and the digits at their ends.

    >>> words_of("ZIPCode_2"), words_of("Straße")
    (['zip', 'code'], ['strasse'])
    """
    parted = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3 \2\4", name)
    letters = unicodedata.normalize("NFKD", parted.casefold().replace("ø", "o"))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = (word.rstrip("0123456789") for word in re.findall(r"[^\W_]+", plain))
    return [word for word in words if word]


def first_fitting(words: Iterable[str], known: str) -> str | None:
    """The first of the words that is in a list, by itself or by its stem."""
    patterns = known.split()
    exact = {pattern for pattern in patterns if not pattern.endswith("*")}
    stems = tuple(pattern[:-1] for pattern in patterns if pattern.endswith("*"))
    return next((word for word in words if word in exact or word.startswith(stems)), None)


def is_name(name: str) -> bool:
    """Whether it is of names, which different people share."""
    return first_fitting(words_of(name), NAMES) is not None


def person_rank(name: str) -> int | None:
    """How surely a name is that of a column which tells people apart; None where it is not.

    0 is surest, `len(LIKELY)` a name that does not say whose numbers they are.

    >>> [person_rank(name) for name in ("patient_id", "ID", "visit_id", "street", "full name")]
    [0, 3, None, None, 3]
    """
    words = words_of(name)
    if first_fitting(words, OTHERS):
        return None
    for rank, known in enumerate(LIKELY):
        if first_fitting(words, known):
            return rank
    says_nothing = all(first_fitting([word], f"{UNSURE} {NAMES} full") for word in words)
    return len(LIKELY) if words and says_nothing else None

"""The words that claims are made of: which of them ask for a kind of check, and which say nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = [
    "CONTROL_WORDS",
    "DONE",
    "EFFECT",
    "NEGATION",
    "QUANTIFIERS",
    "STATES",
    "STOP",
    "STRUCTURE",
    "UNREADABLE",
    "VERB",
    "language",
    "stem",
]

VERB = (
    r"(?:is|are|has|have|shows?|shown|contains?|was|were|there|does|do|costs?|reads?|says?|comes?|displays?"
    r"|lists?|includes?|equals?|can|holds?|appears?|stands?|remains?|isn't|aren't|doesn't|don't|ends?"
    r"|starts?|begins?)"
)
NEGATION: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:no(?!\.\s*[\d\ue300])|not|none|nothing|never|without|neither|nor|nobody|cannot|no longer)\b|n['’]t\b",
        re.I,
    ),
    "de": re.compile(r"\b(?:kein\w*|nicht|nichts|nie|niemals|ohne|niemand)\b", re.I),
    "fr": re.compile(r"\b(?:ne|pas|aucune?|jamais|sans|rien|personne)\b|\bn['’]", re.I),
    "es": re.compile(r"\b(?:no|ning[úu]n\w*|nunca|sin|nada|nadie)\b", re.I),
}
QUANTIFIERS: Mapping[str, re.Pattern[str]] = {
    "all": re.compile(
        r"\b(?:all|every|each|everything|everyone|alle|jede[rs]?|sämtliche|tou(?:s|tes)|chaque"
        r"|tod[oa]s|cada)\b",
        re.I,
    ),
    "only": re.compile(
        r"\b(?:only|solely|nothing (?:else|but)|nur|seulement|uniquement|s[óo]lo|solamente)\b", re.I
    ),
    "first": re.compile(r"\b(?:first|1st|erste[rns]?|premi(?:er|ère)|primer[oa]?)\b", re.I),
    "last": re.compile(r"\b(?:last|letzte[rns]?|derni(?:er|ère)|últim[oa])\b", re.I),
    "nth": re.compile(
        r"\bthe (?:second|third|fourth|fifth)\b(?! of)|\b(?:2nd|3rd|[4-9]th)\b", re.I
    ),
    "sorted": re.compile(
        r"\b(?:sorted|ascending|descending|alphabetical(?:ly)?|ordered by|sortiert|triée?s?|ordenad[oa]s?"
        r"|(?:cheapest|dearest|newest|oldest|lowest|highest|latest|earliest|most|fewest) (?:first|last))\b",
        re.I,
    ),
    "extreme": re.compile(
        r"\b(?:cheapest|dearest|highest|lowest|largest|smallest|newest|oldest|biggest|longest|shortest"
        r"|latest|earliest|most|fewest)\b(?! (?:first|last))",
        re.I,
    ),
    "relative": re.compile(
        rf"\b{VERB}\s+(?:\w+\s+)?(?:before|after|above|below)\b|\b(?:precedes?|follows?)\b", re.I
    ),
}
STATES: Mapping[str, str] = {
    "disabled": "disabled", "greyed": "disabled", "grayed": "disabled", "enabled": "enabled",
    "clickable": "enabled", "checked": "checked", "ticked": "checked", "unchecked": "unchecked",
    "unticked": "unchecked", "expanded": "expanded", "collapsed": "collapsed",
    "focused": "focused", "required": "required", "mandatory": "required", "invalid": "invalid",
    "hidden": "hidden", "invisible": "hidden", "selected": "selected", "chosen": "selected",
    "empty": "empty", "blank": "empty",
    "deaktiviert": "disabled", "ausgegraut": "disabled", "aktiviert": "enabled",
    "ausgewählt": "selected", "angehakt": "checked", "leer": "empty", "erforderlich": "required",
    "désactivé": "disabled", "désactivée": "disabled", "activé": "enabled", "activée": "enabled",
    "coché": "checked", "cochée": "checked", "sélectionné": "selected", "sélectionnée": "selected",
    "vide": "empty", "requis": "required", "obligatoire": "required",
    "desactivado": "disabled", "desactivada": "disabled", "deshabilitado": "disabled",
    "habilitado": "enabled", "marcado": "checked", "marcada": "checked",
    "seleccionado": "selected", "seleccionada": "selected", "vacío": "empty", "vacía": "empty",
}  # fmt: skip
DONE = frozenset("accepted agreed done completed active on activated subscribed switched".split())
"""What may be said of a box that is checked."""
STRUCTURE: Mapping[str, str] = {
    "button": "button", "link": "link", "checkbox": "checkbox switch menuitemcheckbox",
    "box": "checkbox switch textbox searchbox combobox", "radio": "radio",
    "field": "textbox searchbox combobox spinbutton listbox slider",
    "input": "textbox searchbox combobox spinbutton", "textbox": "textbox searchbox",
    "dropdown": "combobox listbox", "switch": "switch checkbox", "toggle": "switch checkbox button",
    "slider": "slider", "dialog": "dialog alertdialog", "modal": "dialog alertdialog",
    "popup": "dialog alertdialog tooltip menu", "heading": "heading", "headline": "heading",
    "picture": "img image", "image": "img image", "photo": "img image",
    "alert": "alert alertdialog", "error": "alert", "warning": "alert", "toast": "alert status",
    "notification": "alert status", "tooltip": "tooltip", "url": "url", "address": "url",
    "title": "title heading", "table": "table grid", "tab": "tab", "option": "option",
    "column": "columnheader", "cell": "cell gridcell", "menu": "menu menubar",
    "open": "dialog alertdialog",
    "schaltfläch": "button", "schaltfläche": "button", "knopf": "button", "feld": "textbox combobox",
    "bouton": "button", "champ": "textbox combobox", "lien": "link", "case": "checkbox",
    "botón": "button", "campo": "textbox combobox", "enlac": "link", "enlace": "link",
    "casilla": "checkbox",
}  # fmt: skip
"""What a word for a part of a page may be by its role."""
CONTROL_WORDS = frozenset(
    "schaltfläche knopf feld bouton champ botón campo button link checkbox radio field input textbox dropdown switch toggle slider box option tab".split()
)
EFFECT = re.compile(r"\w{2,}ed|now|became|no longer|sent|again|gone|put|paid|sold|left", re.I)

STOP: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        """a an the this that these those it its his her their our your my and or but of in on at to for from
        by with as into onto than then so if is are was were be been being am has have had having do does
        did can could will would should may might must there here which who what where when while also
        still currently exactly just right very only now page screen site website app application user
        customer visitor show shows showing shown display displays displayed displaying contain contains
        containing contained include includes including appear appears appearing see seen visible
        read reads say says saying state list lists listed present given exist exists hold holds
        equal equals value text message label name named called row rows
        line lines item items entry entries record records element elements thing things
        section area part content contents next under beside below above before after between
        no not none nothing never without neither nor nobody cannot any some all every each everything
        everyone first last second third fourth fifth sorted ascending descending alphabetical
        alphabetically ordered cost costs priced more less least most fewer greater higher lower over up
        minimum maximum both out off one comes come precedes follows stands stand there's it's
        number numbers count amount many much product products result results article articles
        warns warn tells tell asks ask announces announce reports report confirms confirm mentions
        mention offered that's else other same ends end starts start begins
        begin longer whole entire nothing anything something someone anyone""".split()
    ),
    "de": frozenset(
        """der die das den dem des ein eine einen einem einer ist sind war waren wird werden wurde wurden hat
        haben und oder aber in im an am auf aus bei mit von vom zu zum zur für es sie er auf angezeigt
        zeigt zeigen steht stehen enthält enthalten gibt kein keine keinen keinem keiner nicht nichts nie
        ohne niemand alle jede jeder jedes nur erste erster letzte letzter sortiert nach seite
        sichtbar zu sehen lautet heißt beträgt kostet liegt liegen noch ganz als""".split()
    ),
    "fr": frozenset(
        """le la les l un une des du de d est sont était a ont et ou mais dans sur à au aux en avec pour par il
        elle y ce cette ces son sa ses qui que affiche affichent affiché affichée affichés contient
        contiennent montre ne n pas aucun aucune jamais sans rien personne tous toutes chaque seulement
        uniquement premier première dernier dernière trié triés triée triées page visible se trouve
        coûte reste""".split()
    ),
    "es": frozenset(
        """el la los las un una unos unas de del al a en es son está están era ha han y o pero con por para se
        su sus que lo hay muestra muestran contiene contienen aparece no ningún ninguna ninguno nunca sin
        nada nadie todos todas cada solo sólo solamente primer primero primera último última ordenado
        ordenados ordenadas página visible cuesta ve""".split()
    ),
}  # fmt: skip


UNREADABLE = frozenset(
    """non nessun nessuna niente mai senza niet geen nooit zonder não nem nenhum nunca nie nicht nic ikke
    ingen inte inga ei ekki нет не ні nincs nem yok değil""".split()
)
"""Words that deny, in languages that are not known otherwise: nothing may be read in their place."""


def language(words: list[str]) -> str:
    """The language of a claim, by its small words; "" for one whose words are not known."""
    lower = [word.casefold() for word in words]
    scores = {code: sum(word in stop for word in lower) for code, stop in STOP.items()}
    best = max(scores, key=lambda code: scores[code])
    if scores[best] == 0:
        return "en" if all(word.isascii() for word in words) and len(words) < 4 else ""
    if scores["en"] == scores[best]:
        return "en"
    return best


def stem(word: str) -> str:
    """A word without the endings of English, roughly."""
    word = re.sub(r"'s?$", "", word.casefold().replace("’", "'"))
    endings = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"))
    for ending, instead in endings:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    return word.rstrip("e") if len(word) > 3 else word

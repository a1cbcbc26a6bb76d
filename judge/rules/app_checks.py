"""Whether an application does more than exist: widgets where users act, content where something is to be shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.rules.criterion import Criterion
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unknown, unmet
from judge.rules.live import LiveFile
from judge.rules.wording import listed, words_with_stems

_INTERACTIVE = re.compile(
    r"\binteractive\b|\bdynamic\w*|\b(?:allow\w*|let\w*|enabl\w*)\s+(?:a |the )?users?\b|"
    r"\busers? (?:can|to|could|may|should)\b|\bexplor\w+|\bupload\w*|\binput\b",
    re.IGNORECASE,
)
_WIDGET_CALL = re.compile(
    r"(?:slider|selectbox|select_slider|multiselect|text_input|text_area|number_input|date_input|time_input|button|checkbox|radio|toggle|"
    r"file_uploader|form|chat_input|data_editor|camera_input|color_picker|tabs|expander|download_button|"
    r"Dropdown|Slider|RangeSlider|Input|Textarea|Checklist|RadioItems|Button|Upload|DatePickerRange|DatePickerSingle|DataTable|Graph|"
    r"callback|Callback|clientside_callback|Interface|ChatInterface|Blocks|Textbox|Radio|CheckboxGroup|Image|Audio|File|Number|"
    r"Entry|Listbox|Combobox|Scale|bind|on_click|on_change|js_on_change|Select|TextInput|MultiSelect|"
    r"addEventListener|onclick|onsubmit|input|prompt|confirm|interact|interactive|observe|HoverTool|route|get|post|put|delete)$"
)
_WIDGET_TEXT = re.compile(
    r"<(?:input|button|select|textarea|form)\b|onclick=|addEventListener\(|v-model|onChange=|request\.(?:form|args|json|files)|UploadFile|input\(",
    re.IGNORECASE,
)
_UPLOAD = re.compile(
    r"file_uploader|request\.files|UploadFile|File\(|dcc\.Upload|type=[\"']file|gr\.(?:File|Image|Audio)|multipart|askopenfilename|FileReader|MultipartFile",
    re.IGNORECASE,
)
_CHROME = frozenset(["title", "header", "subheader", "set_page_config", "set_title", "divider", "sidebar", "caption"])
_OUTPUT_CALL = re.compile(
    r"write|dataframe|table|metric|pyplot|plotly_chart|image|line_chart|bar_chart|area_chart|altair_chart|map|json|code|markdown|text|bokeh_chart|audio|video|graphviz_chart"
)


def check_app(evidence: Evidence, criterion: Criterion, paths: Sequence[str], module: str) -> list[Finding]:
    """Whether the application shows something computed, and takes part with its users where the criterion asks so."""
    files = evidence.live.select(evidence.live.closure(paths) if paths else _using(evidence, module))
    if not files:
        return []
    findings = []
    text = "\n".join(file.text.full for file in files)
    if criterion.says(_INTERACTIVE.pattern):
        widget = _first(files, _WIDGET_CALL)
        if widget is None and not _WIDGET_TEXT.search(text):
            findings.append(unmet(f"{files[0].path} has nothing that a user could act on", 0.74, files[0].cite(1)))
        elif widget is not None:
            findings.append(met(f"{widget[0].path}:{widget[1]} takes a user's action", 0.8, widget[0].cite(widget[1])))
    if criterion.says(r"\bupload"):
        if _UPLOAD.search(text):
            findings.append(met("files can be uploaded", 0.78))
        else:
            findings.append(unmet(f"{files[0].path} has no way to upload a file", 0.72, files[0].cite(1)))
    if module == "streamlit" and criterion.says(r"\b(?:display|show|present|visuali[sz]|explor)"):
        findings.append(_shows_something(files))
    return findings


def _using(evidence: Evidence, module: str) -> list[str]:
    return [
        path
        for path, file in evidence.live.files.items()
        if any(i.module.split(".")[0] == module for i in file.imports)
    ]


def _first(files: Sequence[LiveFile], pattern: re.Pattern[str]) -> tuple[LiveFile, int] | None:
    for file in files:
        for call in file.calls:
            if pattern.search(call.target.rsplit(".", 1)[-1]):
                return file, call.line
    return None


def _shows_something(files: Sequence[LiveFile]) -> Finding:
    """A page whose only output is fixed text shows no results."""
    for file in files:
        for call in file.calls:
            name = call.target.rsplit(".", 1)[-1]
            if name in _CHROME or not _OUTPUT_CALL.search(name) or "streamlit" not in call.target:
                continue
            if any(not value.known for value in (*call.args, *call.keywords.values())):
                return met(f"{file.path}:{call.line} shows computed content", 0.76, file.cite(call.line))
    return unmet(f"{files[0].path} shows fixed text only", 0.7, files[0].cite(1))


_SPECIFY = re.compile(
    r"\busers? (?:can|may|must|should|is able to|are able to)\s+(?:choose|set|specify|configure|select|change|adjust)\b"
    r"(.{0,80})|"
    r"\b(?:can|may|could) be (?:given|chosen|set|passed|specified|selected|changed|configured|adjusted|overridden)\b"
    r"(.{0,80})|"
    r"\b(?:ability|able|possible|options?)\b[^.;]{0,40}\b(?:to )?"
    r"(?:specify|choose|configure|set|select|change|adjust)\b"
    r"(.{0,80})|"
    r"\b(?:configurable|customi[sz]able|adjustable|user-(?:specified|defined)|parameteri[sz]ed)\b(.{0,60})",
    re.IGNORECASE,
)


def check_configurable(evidence: Evidence, criterion: Criterion, paths: Sequence[str]) -> list[Finding]:
    """Where users are to set something, some live definition takes it as a parameter (or an option, or an input)."""
    match = _SPECIFY.search(criterion.masked)
    if match is None:
        return []
    from judge.rules.words import stems

    before = criterion.masked[max(0, match.start() - 40) : match.start()].partition(" ")[2]
    asked = f"{before} {next((part for part in match.groups() if part), '')}".rpartition(" ")[0]
    wanted = {word for word in stems(asked) if len(word) > 2}
    said = listed(words_with_stems(asked, wanted), "or") or "anything"
    files = evidence.live.select(paths or None)
    for file in files:
        for definition in file.definitions:
            names = {word for parameter in definition.parameters for word in stems(parameter)}
            if names & wanted:
                taken = listed(words_with_stems(asked, names & wanted))
                because = f"{file.path}:{definition.line} ({definition.qualname}) takes {taken} as a parameter"
                return [met(because, 0.76, file.cite(definition.line))]
        if re.search(
            r"add_argument\(|input\(|request\.|st\.\w+_input|slider\(|os\.environ|getenv|sys\.argv|process\.(?:argv|env)|"
            r"env::(?:args|var)|\bflag\.\w+\(|os\.(?:Args|Getenv)|String\[\] args|\bargv\b|ARGV|commandArgs|"
            r"getopts|\$[1-9]\b|\$argv|ENV\[|#\[arg|@Option|OptionParser|readLine\(|readline\(|Scanner\(|typer\.|click\.",
            file.text.full,
        ) and wanted & set(stems(file.text.full)):
            return [met(f"{file.path} takes {said} from outside", 0.68, file.cite(1))]
    if not files:
        return []
    if any(len(definition.parameters) > 2 for file in files for definition in file.definitions):
        return [unknown(f"which parameter of {files[0].path} sets {said}")]
    return [
        unmet(
            f"nothing in {', '.join(paths) or 'the code'} lets a user set {said}",
            0.72,
            files[0].cite(1),
        )
    ]

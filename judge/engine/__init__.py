"""Runs: evidence for one requirement, requirements in order, verdicts on disk, resume."""

from typing import TYPE_CHECKING

from judge.config import DEFAULT_MODULES
from judge.lazy import offer

if TYPE_CHECKING:
    from judge.engine.cases import for_requirement, open_case, open_workspace, question_case
    from judge.engine.evidence import Pipeline
    from judge.engine.folder import RunFolder, choose_folder
    from judge.engine.judges import Judge, Outcome, RulesJudge, Session, error_judgment, model_names
    from judge.engine.judges_agent import AgentJudge
    from judge.engine.judges_llm import LlmJudge
    from judge.engine.options import RunOptions, parse_modules
    from judge.engine.plan import Prepared, TaskPlan, build_header, prepare
    from judge.engine.progress import Progress, Silent
    from judge.engine.run import RunResult, TaskResult
    from judge.engine.totals import Share, Totals
    from judge.engine.workspaces import Found, find_workspaces

__all__ = [
    "DEFAULT_MODULES",
    "AgentJudge",
    "Found",
    "Judge",
    "LlmJudge",
    "Outcome",
    "Pipeline",
    "Prepared",
    "Progress",
    "RulesJudge",
    "RunFolder",
    "RunOptions",
    "RunResult",
    "Session",
    "Share",
    "Silent",
    "TaskPlan",
    "TaskResult",
    "Totals",
    "build_header",
    "choose_folder",
    "error_judgment",
    "find_workspaces",
    "for_requirement",
    "model_names",
    "open_case",
    "open_workspace",
    "parse_modules",
    "prepare",
    "question_case",
]

__getattr__ = offer(
    __name__,
    {
        "cases": "for_requirement open_case open_workspace question_case",
        "evidence": "Pipeline",
        "folder": "RunFolder choose_folder",
        "judges": "Judge Outcome RulesJudge Session error_judgment model_names",
        "judges_agent": "AgentJudge",
        "judges_llm": "LlmJudge",
        "options": "RunOptions parse_modules",
        "plan": "Prepared TaskPlan build_header prepare",
        "progress": "Progress Silent",
        "run": "RunResult TaskResult",
        "totals": "Share Totals",
        "workspaces": "Found find_workspaces",
    },
)

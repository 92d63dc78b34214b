"""The report of a comparison in the terminal."""

import textwrap

from app.comparison_tables import prompt_table, remarks, total_table
from app.core.experiment import Experiment
from app.tables import TABLE_WIDTH


def comparison_table(experiment: Experiment, width: int = TABLE_WIDTH) -> str:
    """What `bench` and `demo` print: each prompt and mode, then each mode over all prompts.

    Below stand the places where outputs differ, what is noise, and what it was measured on.
    """
    lines = [textwrap.fill(line, width, subsequent_indent="  ") for line in remarks(experiment)]
    prompts = prompt_table(experiment, repeat_prompt=False).text(width)
    return "\n\n".join([prompts, total_table(experiment).text(width), "\n".join(lines)])

"""The code that is fingerprinted is the code that runs, also with another checkout installed in the environment."""


def test_a_copy_runs_its_own_code_and_not_the_installed_package(drawn):
    workspace = drawn
    workspace.edit(
        "workflow/scripts/afterimage/models/chance.py",
        r"Reply\(request.number, .*\)$",
        'Reply(request.number, "my own code")',
    )
    name = "results/responses/illusion_vqa/chance.parquet"
    workspace.run(name)
    from afterimage.files.parquet import read_records
    from afterimage.files.records import RESPONSE

    texts = {row["text"] for row in read_records(workspace.folder / name, RESPONSE)}
    assert texts == {"my own code"}

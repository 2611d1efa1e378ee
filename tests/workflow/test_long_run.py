"""The long run of benchmarks/day_in_miniature.py, short: faults of all kinds, kills, and nothing lost or paid twice."""

from long_run import HostedStudy, Provider, Run, compared, every_answers

CONCURRENCY = 4
ILLUSIONS = ["fick", "ebbinghaus"]


def test_faults_and_kills_lose_nothing_and_what_is_paid_twice_was_in_flight(root, tmp_path):
    def make(folder, url):
        return HostedStudy(root, folder, url, 3, CONCURRENCY, illusions=ILLUSIONS, shard_size=8)

    provider = Provider(rate=0.05, seconds=0.1)
    run = Run(is_due=every_answers(provider, 60), most_kills=3)
    found = compared(make, tmp_path, run, Run(), provider, in_flight_per_kill=2 * CONCURRENCY)
    assert found.requests == 288
    assert found.struck > found.requests / 40
    assert found.kills == {"snakemake": 1, "a job": 1, "everything": 1}
    assert found.lost == 0
    assert found.repeated <= found.in_flight
    assert found.tables > 0
    assert not found.differing

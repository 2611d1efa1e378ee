"""How often one step of a chain is right, from how often chains are."""

import numpy as np
import pytest

from afterimage.statistics.chains import MIN_SHARE, log_share_per_step

HOPS, N = [1, 2, 4, 8], 10_000


@pytest.mark.parametrize("share", [0.3, 0.8, 0.97])
def test_the_share_that_was_put_in_is_found_again(share):
    right = [N * (0.1 + 0.9 * share**h) for h in HOPS]
    assert np.exp(log_share_per_step(HOPS, right, [N] * 4, 0.1)) == pytest.approx(share, abs=1e-4)


def test_who_is_always_right_has_sure_steps_and_who_never_is_has_the_least_that_is_told():
    assert log_share_per_step(HOPS, [N] * 4, [N] * 4, 0.1) == 0
    assert log_share_per_step(HOPS, [0] * 4, [N] * 4, 0.1) == np.log(MIN_SHARE)


def test_without_chains_or_where_guesses_are_always_right_there_is_none():
    assert np.isnan(log_share_per_step(HOPS, [0] * 4, [0] * 4, 0.1))
    assert np.isnan(log_share_per_step(HOPS, [N] * 4, [N] * 4, 1.0))

"""QuestWorlds: abilities in the player's own words, a d20 against a d20, masteries past twenty."""
from rules.systems.questworlds.contest import AssuredContest, Contest
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.scored import ScoredContest

MOVES = (Contest(), AssuredContest(), ScoredContest(), ExtendedContest())

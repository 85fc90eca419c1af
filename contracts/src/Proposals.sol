// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HubAccess} from "./HubAccess.sol";

/// @title Proposals
/// @notice What adds power to an account is proposed by the owner, waits, and can be vetoed.
/// @dev    A proposal is the calldata of a call that the owner will send itself once it is ripe. The
///         guardian can veto all but its own replacement, which waits seven times as long instead:
///         otherwise a thief of the guardian's key could hold the hub for ransom forever.
///         A proposal costs a thief of the owner's key little, so one call ends all of them: each
///         notes the round in which it was made, and `vetoProposals` begins another one.
abstract contract Proposals is HubAccess {
    /// @dev One storage slot.
    struct Proposal {
        uint64 readyAt;
        bool replacesGuardian;
        uint64 round;
    }

    /// @notice How long a ripe proposal can be executed.
    uint64 public constant PROPOSAL_LIFETIME = 14 days;
    /// @notice The replacement of the guardian waits this many times the owner's delay.
    uint64 public constant GUARDIAN_DELAY_FACTOR = 7;

    mapping(bytes32 id => Proposal) private _proposals;
    /// @dev How often all proposals were vetoed.
    uint64 private _round;

    /// @dev 1. With a delay, the call must have been proposed and be ripe, but not for too long.
    ///      2. A proposal serves once.
    ///      Without a delay (deployment, local chains) there is nothing to look up.
    modifier afterDelay() {
        _requireProposed();
        _;
    }

    /// @notice Proposes a call to this hub; it can be sent from `readyAt` on. Proposing it again
    ///         begins the wait again.
    /// @param call The calldata, as the owner will send it, byte by byte.
    function propose(bytes calldata call) external onlyOwner {
        bool replacesGuardian = bytes4(call) == _guardianSetter();
        uint64 delay = ownerDelay;
        if (replacesGuardian) delay *= GUARDIAN_DELAY_FACTOR;
        uint64 ripe = uint64(block.timestamp) + delay;
        bytes32 id = keccak256(call);
        _proposals[id] = Proposal(ripe, replacesGuardian, _round);
        emit Proposed(id, call, ripe);
    }

    /// @notice Ends a proposal. The owner can end any, the guardian all but its own replacement.
    function vetoProposal(bytes32 id) external onlyGuard {
        if (readyAt(id) == 0) revert NotProposed(id);
        if (_proposals[id].replacesGuardian) _requireOwner();
        delete _proposals[id];
        emit ProposalVetoed(id);
    }

    /// @notice Ends all proposals at once, however many, but for replacements of the guardian.
    function vetoProposals() external onlyGuard {
        emit ProposalsVetoed(++_round);
    }

    /// @notice From when on a proposal can be executed; zero if there is none, or none any more.
    /// @param id keccak256 of the proposed calldata.
    function readyAt(bytes32 id) public view returns (uint64) {
        Proposal memory proposal = _proposals[id];
        bool isOver = proposal.round != _round && !proposal.replacesGuardian;
        return isOver ? 0 : proposal.readyAt;
    }

    function _requireProposed() internal {
        _requireOwner();
        if (ownerDelay == 0) return;
        bytes32 id = keccak256(msg.data);
        uint64 ripe = readyAt(id);
        if (ripe == 0) revert NotProposed(id);
        if (block.timestamp < ripe) revert NotReady(id, ripe);
        uint64 expiry = ripe + PROPOSAL_LIFETIME;
        if (block.timestamp > expiry) revert ProposalExpired(id, expiry);
        delete _proposals[id];
        emit ProposalExecuted(id);
    }

    function _guardianSetter() internal pure virtual returns (bytes4);
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {Powers} from "./Powers.sol";

/// @notice The owner proposes, waits and executes; the guardian vetoes; thieves try the same.
abstract contract Owning is Powers {
    uint256 public executions;
    uint256 public proposalVetoes;
    uint256 public vetoesOfAll;

    Power[] private _proposed;
    mapping(bytes32 id => uint64) private _readyAt;

    function propose(uint256 seed) external {
        Power memory power = anyPower(seed);
        bytes memory data = callOf(power);
        bytes memory call = abi.encodeCall(hub.propose, (data));
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        vm.assertFalse(tryAs(roles.guardian, call), "not the guardian");
        vm.assertTrue(tryAs(roles.owner, call), "the owner");
        uint64 delay = power.kind == Kind.Guardian ? ownerDelay * 7 : ownerDelay;
        _readyAt[keccak256(data)] = uint64(block.timestamp) + delay;
        _proposed.push(power);
    }

    /// @dev What was proposed at any time, or never.
    function execute(uint256 seed) external {
        uint256 n = _proposed.length;
        bool isNew = n == 0 || seed & 7 == 0;
        _execute(isNew ? anyPower(seed) : _proposed[(seed >> 8) % n]);
    }

    /// @dev Waits for the delay of a proposal, then executes it.
    function executeWhenReady(uint256 seed) external {
        uint256 n = _proposed.length;
        if (n == 0) return;
        Power memory power = _proposed[(seed >> 8) % n];
        uint64 ripe = _readyAt[keccak256(callOf(power))];
        if (ripe == 0) return;
        uint256 early = seed >> 16 & 1;
        if (ripe - early > block.timestamp) vm.warp(ripe - early);
        _execute(power);
    }

    function vetoProposed(uint256 seed) external {
        uint256 n = _proposed.length;
        if (n == 0) return;
        Power memory power = _proposed[(seed >> 8) % n];
        bytes32 id = keccak256(callOf(power));
        bytes memory call = abi.encodeCall(hub.vetoProposal, (id));
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        bool byGuardian = seed & 1 == 0;
        bool ok = tryAs(byGuardian ? roles.guardian : roles.owner, call);
        bool mayEnd = _readyAt[id] != 0 && !(byGuardian && power.kind == Kind.Guardian);
        vm.assertTrue(ok == mayEnd, "all but the guardian's own replacement");
        if (!ok) return;
        _readyAt[id] = 0;
        ++proposalVetoes;
    }

    /// @dev Seldom, or nothing would ever be executed.
    function vetoAllProposed(uint256 seed) external {
        bytes memory call = abi.encodeCall(hub.vetoProposals, ());
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        if (seed & 31 != 0) return;
        bool byGuardian = seed & 32 == 0;
        vm.assertTrue(tryAs(byGuardian ? roles.guardian : roles.owner, call), "both guards");
        for (uint256 i; i < _proposed.length; ++i) {
            if (_proposed[i].kind == Kind.Guardian) continue;
            _readyAt[keccak256(callOf(_proposed[i]))] = 0;
        }
        ++vetoesOfAll;
    }

    function acceptOwnership() external {
        bytes memory call = abi.encodeCall(hub.acceptOwnership, ());
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        if (pendingOwner == address(0)) return;
        vm.assertTrue(tryAs(pendingOwner, call), "who was named");
        (roles.owner, pendingOwner) = (pendingOwner, address(0));
    }

    function _execute(Power memory power) private {
        bytes memory data = callOf(power);
        bytes32 id = keccak256(data);
        vm.assertFalse(tryAs(STRANGER, data), "not a stranger");
        vm.assertFalse(tryAs(roles.guardian, data), "not the guardian");
        bool adds = addsPower(power);
        uint64 ripe = _readyAt[id];
        bool isRipe = ripe != 0 && block.timestamp >= ripe && block.timestamp <= ripe + 14 days;
        bool may = (isRipe || !adds) && isPossible(power);
        bool ok = tryAs(roles.owner, data);
        if (adds) vm.assertTrue(isRipe || !ok, "not before its delay, nor after a veto");
        vm.assertTrue(ok == may, "otherwise it may");
        if (!ok) return;
        if (adds) _readyAt[id] = 0;
        executed(power);
        ++executions;
    }
}

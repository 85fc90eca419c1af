// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Refunding} from "./Refunding.sol";

/// @notice Kinds of operations are stopped and resumed.
abstract contract Stops is Refunding {
    uint8 private _stopped;

    /// @dev The guardian or the owner stops; the owner alone resumes.
    function toggleStop(uint256 seed) external {
        if (_stopped != 0 && seed & 3 != 0) {
            uint8 what = seed >> 2 & 1 == 0 ? _stopped : uint8(seed >> 8);
            bytes memory call = abi.encodeCall(hub.resume, (what));
            vm.assertFalse(tryAs(roles.guardian, call), "the guardian cannot resume");
            vm.assertTrue(tryAs(roles.owner, call), "the owner can");
            _stopped &= ~what;
        } else {
            uint8 what = uint8(1 << (seed >> 8) % 4);
            bytes memory call = abi.encodeCall(hub.stop, (what));
            vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
            vm.assertFalse(tryAs(roles.operator, call), "no operator");
            address by = seed >> 16 & 1 == 0 ? roles.guardian : roles.owner;
            vm.assertTrue(tryAs(by, call), "guardian or owner");
            _stopped |= what;
        }
        vm.assertEq(hub.stops(), _stopped, "what is stopped");
    }

    function isStopped(uint8 what) internal view override returns (bool) {
        return _stopped & what != 0;
    }
}

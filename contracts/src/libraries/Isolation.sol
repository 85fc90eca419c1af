// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../interfaces/IHubErrors.sol";

/// @title Isolation
/// @notice Calls that can fail without reverting their batch.
library Isolation {
    /// @dev Room for Error(string) with up to 64 characters, which every reason of FiatToken fits.
    uint256 private constant REASON_LIMIT = 132;
    /// @dev More than a call costs before the callee runs: a cold account is 2,600 (EIP-2929).
    uint256 private constant CALL_OVERHEAD = 5_000;

    /// @notice Calls `target` with exactly `gasCap` gas.
    /// @dev    1. Refuse the whole batch unless the callee will really be given `gasCap`. EIP-150
    ///            lets a call have 63/64 of what is left, so a sender who supplies little gas
    ///            could otherwise make a good item appear bad.
    ///         2. Call.
    ///         3. On failure, copy no more of the answer than REASON_LIMIT.
    function attempt(address target, bytes memory data, uint256 gasCap)
        internal
        returns (bool ok, bytes memory reason)
    {
        requireGas(gasCap);
        assembly ("memory-safe") {
            ok := call(gasCap, target, 0, add(data, 0x20), mload(data), 0x00, 0x00)
        }
        if (!ok) reason = clippedReason();
    }

    /// @notice Reverts unless a call made now can be given `gasCap` (EIP-150).
    function requireGas(uint256 gasCap) internal view {
        uint256 available = gasleft();
        unchecked {
            // A caller may name any cap, so the sum must not be allowed to wrap around.
            if (gasCap > available || available < gasCap + gasCap / 63 + CALL_OVERHEAD) {
                revert IHubErrors.ItemGasTooLow(available, gasCap);
            }
        }
    }

    /// @notice The beginning of what the last call answered.
    function clippedReason() internal pure returns (bytes memory reason) {
        assembly ("memory-safe") {
            reason := mload(0x40)
            let length := returndatasize()
            if gt(length, REASON_LIMIT) { length := REASON_LIMIT }
            mstore(reason, length)
            returndatacopy(add(reason, 0x20), 0, length)
            mstore(0x40, add(reason, 0xc0))
        }
    }
}

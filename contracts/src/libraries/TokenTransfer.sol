// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title TokenTransfer
/// @notice ERC-20 transfers out of the calling contract, for tokens that return true, nothing, or
///         fail in any way. Solady's SafeTransferLib hides why a token refused, which the failure
///         events of the hub should report; that is the reason for this library.
library TokenTransfer {
    /// @notice The token answered false, or there is no token at this address.
    error TransferRefused(address token, address to, uint256 amount);

    /// @notice Moves `amount` or reverts with the token's own words.
    function transfer(address token, address to, uint256 amount) internal {
        if (tryTransfer(token, to, amount, gasleft())) return;
        assembly ("memory-safe") {
            // 36 bytes is the least that an error with a value has; "false" is 32 bytes.
            if gt(returndatasize(), 35) {
                let free := mload(0x40)
                let size := returndatasize()
                if gt(size, 256) { size := 256 }
                returndatacopy(free, 0, size)
                revert(free, size)
            }
        }
        revert TransferRefused(token, to, amount);
    }

    /// @notice Moves `amount`, using `gasCap` at most, and returns whether that worked; never reverts.
    /// @dev    Success is: the call succeeded, and it returned true, or returned nothing and there
    ///         is code at `token`.
    function tryTransfer(address token, address to, uint256 amount, uint256 gasCap)
        internal
        returns (bool done)
    {
        assembly ("memory-safe") {
            mstore(0x14, to)
            mstore(0x34, amount)
            mstore(0x00, 0xa9059cbb000000000000000000000000) // transfer(address,uint256)
            let ok := call(gasCap, token, 0, 0x10, 0x44, 0x00, 0x20)
            switch returndatasize()
            case 0 { done := and(ok, gt(extcodesize(token), 0)) }
            default { done := and(ok, and(gt(returndatasize(), 31), eq(mload(0x00), 1))) }
            mstore(0x34, 0) // The upper bytes of the free memory pointer, overwritten above.
        }
    }
}

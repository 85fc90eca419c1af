// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TokenTransfer} from "./libraries/TokenTransfer.sol";

/// @title Forwarder
/// @notice The code behind every deposit address and every merchant's x402 forwarder, each an
///         EIP-1167 clone of this contract.
/// @dev    It keeps no storage: the hub, an immutable, is part of the code that the clones borrow.
contract Forwarder {
    /// @notice The only caller that may move money out of a clone.
    address public immutable hub;

    /// @param caller Who called.
    /// @param hub    Who alone may call.
    error OnlyHub(address caller, address hub);

    /// @param held   Wei that this clone holds.
    /// @param amount Wei that were to leave it.
    error NativeTransferFailed(uint256 held, uint256 amount);

    /// @param available Gas that was left for the fee leg.
    /// @param needed    Gas that must be left, lest starving the fee leg appear as a refusal.
    error FeeGasTooLow(uint256 available, uint256 needed);

    /// @dev More than a call costs before the callee runs: a cold account is 2,600 (EIP-2929).
    uint256 private constant CALL_OVERHEAD = 5_000;

    constructor() {
        hub = msg.sender;
    }

    modifier onlyHub() {
        if (msg.sender != hub) revert OnlyHub(msg.sender, hub);
        _;
    }

    /// @notice Pays out of this clone, first the receiver and then the fee.
    /// @dev    1. The receiver's leg must succeed; the token's reason is passed on if it does not.
    ///         2. The fee leg may fail (a collector on a blacklist): then it stays here, and the
    ///            caller learns that it did. It is given `feeGas` and no more, so that `reserve`
    ///            remains even if the token burns all of it. With less than that left nothing
    ///            happens, so that starving the fee leg cannot make it appear refused (EIP-150).
    /// @param token        The ERC-20 to move; tokens that return nothing are fine.
    /// @param to           The receiver.
    /// @param amount       The receiver's leg, in the token's base units; zero skips it.
    /// @param feeCollector The receiver of the fee.
    /// @param fee          The fee leg, in the token's base units; zero skips it.
    /// @param feeGas       The gas of the fee leg.
    /// @param reserve      The gas that must remain after it.
    /// @return feePaid False only when the token refused the fee leg.
    function pay(
        address token,
        address to,
        uint256 amount,
        address feeCollector,
        uint256 fee,
        uint256 feeGas,
        uint256 reserve
    ) external onlyHub returns (bool feePaid) {
        if (amount != 0) TokenTransfer.transfer(token, to, amount);
        if (fee == 0) return true;
        uint256 needed = feeGas + feeGas / 63 + CALL_OVERHEAD + reserve;
        uint256 available = gasleft();
        if (available < needed) revert FeeGasTooLow(available, needed);
        feePaid = TokenTransfer.tryTransfer(token, feeCollector, fee, feeGas);
    }

    /// @notice Sends native coin that was paid to this address before the clone existed.
    /// @param to     The receiver.
    /// @param amount In wei.
    function payNative(address to, uint256 amount) external onlyHub {
        uint256 held = address(this).balance;
        (bool ok,) = to.call{value: amount}("");
        if (!ok) revert NativeTransferFailed(held, amount);
    }

    /// @notice Calls another contract in the name of this clone; reverts with its reason.
    function call(address target, bytes calldata data) external onlyHub {
        (bool ok, bytes memory answer) = target.call(data);
        if (ok) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }
}

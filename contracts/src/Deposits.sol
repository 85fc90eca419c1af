// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MerchantRegistry} from "./MerchantRegistry.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Deposits
/// @notice Moves the money of invoices out of their deposit addresses.
abstract contract Deposits is MerchantRegistry {
    /// @notice The gas that one sweep is given. A good one needs at most half of it.
    uint256 public constant SWEEP_GAS = 350_000;
    uint256 private constant SWEEP_SIZE = 8 * 32;

    /// @notice What may still be charged on a deposit that exists: recorded only by a refund that
    ///         deployed it and by a fee that its token refused.
    mapping(address deposit => uint256) public feeLeft;

    /// @notice Pays deposits out to their recipients. For operators only: a stranger could
    ///         otherwise sweep a deposit that is underpaid or about to be refunded.
    /// @dev    Items do not affect each other: a failing one is undone and reported.
    function sweep(Sweep[] calldata items) external onlyOperator {
        for (uint256 i; i < items.length; ++i) {
            Sweep calldata item = items[i];
            uint256 offset;
            assembly ("memory-safe") {
                offset := item
            }
            (bool ok, bytes memory reason) =
                Isolation.attemptStatic(this.sweepItem.selector, offset, SWEEP_SIZE, SWEEP_GAS);
            if (!ok) {
                address deposit = depositAddress(
                    item.merchantId, item.invoiceId, item.recipient, item.maxFee
                );
                emit SweepFailed(deposit, item.token, reason);
            }
        }
    }

    /// @notice One sweep of a batch; only the hub itself may call it.
    /// @dev    1. The amounts must make sense: something moves, and the fee is within both bounds.
    ///         2. The recipient is the salt's own, or the treasury at the registry version named.
    ///         3. A fee is due to the sweep that deploys the clone, for which no storage is
    ///            needed, or else comes out of what was recorded as left.
    ///         4. The recipient is paid, then the collector.
    ///         5. A fee that the token refuses stays in the deposit and is recorded as left; it
    ///            never holds up the recipient's money.
    function sweepItem(Sweep calldata item) external onlyHub {
        uint256 fee = item.fee;
        if (item.amount == 0) revert AmountIsZero();
        if (fee > item.maxFee) revert FeeAboveCap(fee, item.maxFee);
        if (fee > item.amount) revert FeeAboveAmount(fee, item.amount);

        address recipient = item.recipient;
        if (recipient == address(0)) {
            recipient = _merchantAt(item.merchantId, item.version).treasury;
        } else if (recipient == address(this)) {
            revert HubAsReceiver(recipient);
        }

        (address deposit, bool deployed) = _cloneAt(
            _depositSalt(item.merchantId, item.invoiceId, item.recipient, item.maxFee)
        );
        if (!deployed && fee != 0) _takeFromFeeLeft(deposit, fee);

        uint256 remitted;
        unchecked {
            remitted = item.amount - fee; // Step 1 has compared them.
        }
        address collector = fee == 0 ? address(0) : feeCollector;
        if (!_payFrom(deposit, item.token, recipient, remitted, collector, fee)) {
            feeLeft[deposit] += fee;
            emit FeeOwed(deposit, item.token, fee);
            fee = 0;
        }
        emit Swept(deposit, item.token, recipient, remitted, fee);
    }

    function _takeFromFeeLeft(address deposit, uint256 fee) private {
        uint256 left = feeLeft[deposit];
        if (fee > left) revert FeeNotAvailable(fee, left);
        unchecked {
            feeLeft[deposit] = left - fee;
        }
    }
}

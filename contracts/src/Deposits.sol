// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {MerchantRegistry} from "./MerchantRegistry.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Deposits
/// @notice Moves the money of invoices out of their deposit addresses.
abstract contract Deposits is MerchantRegistry {
    /// @dev The ten fields of Sweep, as laid out in calldata.
    uint256 private constant SWEEP_SIZE = 10 * 32;

    /// @notice The fee that may still be charged on a deployed deposit: recorded only by a refund
    ///         that deployed it, and for a fee that its token rejected.
    mapping(address deposit => uint256) public feeLeft;

    /// @notice Pays deposits out to their recipients. For operators only: anyone else could sweep
    ///         a deposit that is underpaid or about to be refunded.
    /// @dev    Items do not affect each other: a failing one is reverted and reported. Each is
    ///         passed to sweepItem unchanged, followed by `gas.fee` and `gas.reserve`.
    function sweep(Sweep[] calldata items, Gas calldata gas) external onlyOperator {
        bytes memory data = new bytes(4 + SWEEP_SIZE + 64);
        bytes4 selector = this.sweepItem.selector;
        Gas calldata limits = gas;
        assembly ("memory-safe") {
            mstore(add(data, 0x20), selector)
            calldatacopy(add(data, add(0x24, SWEEP_SIZE)), add(limits, 0x20), 0x40)
        }
        uint256 itemGas = limits.item;
        for (uint256 i; i < items.length; ++i) {
            Sweep calldata item = items[i];
            assembly ("memory-safe") {
                calldatacopy(add(data, 0x24), item, SWEEP_SIZE)
            }
            (bool ok, bytes memory reason) = Isolation.attempt(address(this), data, itemGas);
            if (!ok) {
                address deposit = depositAddress(
                    item.merchantId, item.invoiceId, item.recipient, item.maxFee
                );
                emit SweepFailed(deposit, item.token, reason);
            }
        }
    }

    /// @notice One sweep of a batch; only the hub itself may call it.
    /// @dev    1. Sweeps must not be stopped, and the token must be listed: a worthless one could
    ///            otherwise deploy the deposit, and no fee could ever be charged.
    ///         2. The amount must be positive, and the fee within both bounds.
    ///         3. The recipient is the one in the salt, or the treasury at the given registry
    ///            version.
    ///         4. The sweep that deploys the clone may charge the fee, which needs no storage. Any
    ///            other takes it from `feeLeft`.
    ///         5. The recipient is paid, then the collector.
    ///         6. A fee that the token rejects stays in the deposit and is added to `feeLeft`; it
    ///            never delays the recipient's money.
    ///         7. The deposit must still hold `leave`. This rejects a sweep that was sent twice,
    ///            without using storage, unless as much was received in between.
    function sweepItem(Sweep calldata item, uint256 feeGas, uint256 reserve) external onlyHub {
        _requireRunning(SWEEPS);
        if (!tokens[item.token].listed) revert TokenNotListed(item.token);
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

        address deposit = _depositOf(item, fee);
        uint256 remitted;
        unchecked {
            remitted = item.amount - fee; // Compared in step 2.
        }
        if (!_pay(Payment(deposit, item.token, recipient, remitted, fee, feeGas, reserve))) {
            feeLeft[deposit] += fee;
            emit FeeOwed(deposit, item.token, fee);
            fee = 0;
        }
        if (item.leave != 0) {
            uint256 left = SafeTransferLib.balanceOf(item.token, deposit);
            if (left < item.leave) revert DepositLeavesLess(left, item.leave);
        }
        emit Swept(deposit, item.token, remitted, fee);
    }

    /// @dev Deploys the deposit, or requires that it exists, as the item states. The fee of an
    ///      existing deposit is deducted from `feeLeft`.
    function _depositOf(Sweep calldata item, uint256 fee) private returns (address deposit) {
        bytes32 salt = _depositSalt(item.merchantId, item.invoiceId, item.recipient, item.maxFee);
        if (item.deploys) return _createClone(salt);
        deposit = _cloneAddress(salt);
        if (deposit.code.length == 0) revert NotDeployed(deposit);
        if (fee == 0) return deposit;
        uint256 left = feeLeft[deposit];
        if (fee > left) revert FeeNotAvailable(fee, left);
        unchecked {
            feeLeft[deposit] = left - fee;
        }
    }
}

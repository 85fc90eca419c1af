// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {MerchantRegistry} from "./MerchantRegistry.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Deposits
/// @notice Moves the money of invoices out of their deposit addresses.
abstract contract Deposits is MerchantRegistry {
    /// @dev The ten fields of Sweep, as they lie in the calldata.
    uint256 private constant SWEEP_SIZE = 10 * 32;

    /// @notice What may still be charged on a deposit that exists: recorded only by a refund that
    ///         deployed it and by a fee that its token refused.
    mapping(address deposit => uint256) public feeLeft;

    /// @notice Pays deposits out to their recipients. For operators only: anyone else could sweep
    ///         a deposit that is underpaid or about to be refunded.
    /// @dev    Items do not affect each other: a failing one is undone and reported. Each is handed
    ///         to sweepItem just as it lies, with `gas.fee` and `gas.reserve` behind it.
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
    ///         2. The amounts must make sense: something moves, and the fee is within both bounds.
    ///         3. The recipient is the salt's own, or the treasury at the registry version named.
    ///         4. A fee is due to the sweep that deploys the clone, for which no storage is
    ///            needed, or else comes out of what was recorded as left.
    ///         5. The recipient is paid, then the collector.
    ///         6. A fee that the token refuses stays in the deposit and is recorded as left; it
    ///            never holds up the recipient's money.
    ///         7. What was to be left must be there. Unless as much was received since, this fails
    ///            a sweep that was sent twice, without any storage.
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
            remitted = item.amount - fee; // Step 2 has compared them.
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

    /// @dev The deposit, deployed now or before as the item states; in the second case the fee is
    ///      taken from what is left.
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

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {Deposits} from "./Deposits.sol";
import {Forwarder} from "./Forwarder.sol";
import {Forwarders} from "./Forwarders.sol";
import {RefundLimits} from "./RefundLimits.sol";
import {HubTypedData} from "./libraries/HubTypedData.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Refunds
/// @notice Payments to receivers that the refund signer names, each once, within the limit of
///         their token.
/// @dev    Open to everyone: the signature binds hub, chain, clone, token, receiver, amount, fee
///         left, id and deadline, so its submitter decides nothing.
abstract contract Refunds is Deposits, Forwarders, RefundLimits {
    /// @dev 256 refunds to a slot: numbers in a row cost little.
    mapping(uint256 word => uint256 bits) private _spent;

    /// @notice Pays signed refunds out of deposit addresses, items isolated from each other.
    /// @param itemGas The gas that each refund is given.
    function refund(DepositRefund[] calldata items, uint256 itemGas) external {
        for (uint256 i; i < items.length; ++i) {
            DepositRefund calldata item = items[i];
            (bool ok, bytes memory reason) = Isolation.attempt(
                address(this), abi.encodeCall(this.refundItem, (item)), itemGas
            );
            if (!ok) emit RefundFailed(item.refund.refundId, reason);
        }
    }

    /// @notice Pays what was sent to forwarders by mistake, items isolated from each other.
    /// @param itemGas The gas that each rescue is given.
    function rescue(ForwarderRescue[] calldata items, uint256 itemGas) external {
        for (uint256 i; i < items.length; ++i) {
            ForwarderRescue calldata item = items[i];
            (bool ok, bytes memory reason) = Isolation.attempt(
                address(this), abi.encodeCall(this.rescueItem, (item)), itemGas
            );
            if (!ok) emit RefundFailed(item.refund.refundId, reason);
        }
    }

    /// @notice Whether a refund has been paid; it never becomes false again.
    function isRefundSpent(uint256 refundId) external view returns (bool) {
        return _spent[refundId >> 8] >> (refundId & 0xff) & 1 != 0;
    }

    /// @notice One refund of a batch; only the hub itself may call it.
    /// @dev    1. The order must be signed, in time, unspent, within the limit, and name this deposit.
    ///         2. If this deploys the deposit, no fee has been charged yet, and a later sweep will not
    ///            be the deploying one: record what the order leaves of it, if anything.
    ///         3. Pay.
    function refundItem(DepositRefund calldata item) external onlyHub {
        uint256 left = item.refund.feeLeft;
        if (left > item.maxFee) revert FeeAboveCap(left, item.maxFee);
        bytes32 salt = _depositSalt(item.merchantId, item.invoiceId, item.recipient, item.maxFee);
        _spend(item.refund, item.signature, _cloneAddress(salt));
        (address deposit, bool deployed) = _cloneAt(salt);
        if (deployed && left != 0) feeLeft[deposit] = left;
        _payRefund(item.refund);
    }

    /// @notice One rescue of a batch; only the hub itself may call it.
    /// @dev    The same checks as for a refund, with a forwarder as the source. What it takes of the
    ///         fees held there is not owed any more.
    function rescueItem(ForwarderRescue calldata item) external onlyHub {
        if (item.refund.feeLeft != 0) revert FeeAboveCap(item.refund.feeLeft, 0);
        _spend(item.refund, item.signature, forwarderAddress(item.merchantId));
        (address forwarder,) = _forwarderOf(item.merchantId);
        _payRefund(item.refund);
        if (item.refund.token != address(0)) _limitFeeHeld(forwarder, item.refund.token);
    }

    /// @dev Marks a refund as spent, before any other contract is called, if it may be paid.
    function _spend(Refund calldata order, bytes calldata signature, address source) private {
        _requireRunning(REFUNDS);
        if (order.source != source) revert WrongSource(order.source, source);
        if (order.amount == 0) revert AmountIsZero();
        _requireReceiver(order.to);
        if (block.timestamp > order.deadline) {
            revert RefundExpired(order.deadline, block.timestamp);
        }
        uint256 word = order.refundId >> 8;
        uint256 bit = 1 << (order.refundId & 0xff);
        uint256 bits = _spent[word];
        if (bits & bit != 0) revert RefundSpent(order.refundId);
        bytes32 digest = HubTypedData.refundDigest(order, address(this), block.chainid);
        address signer = refundSigner;
        if (!SignatureCheckerLib.isValidSignatureNowCalldata(signer, digest, signature)) {
            revert BadSignature(signer);
        }
        _spent[word] = bits | bit;
        _book(order, digest);
    }

    function _payRefund(Refund calldata order) private {
        if (order.token == address(0)) {
            uint256 held = order.source.balance;
            if (held < order.amount) revert DepositHoldsLess(held, order.amount);
            Forwarder(order.source).payNative(order.to, order.amount);
        } else {
            _pay(Payment(order.source, order.token, order.to, order.amount, 0, 0, 0));
        }
        emit Refunded(order.refundId, order.source, order.token, order.to, order.amount);
    }
}

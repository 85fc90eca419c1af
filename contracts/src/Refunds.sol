// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ECDSA} from "solady/utils/ECDSA.sol";
import {Deposits} from "./Deposits.sol";
import {Forwarder} from "./Forwarder.sol";
import {Forwarders} from "./Forwarders.sol";
import {HubTypedData} from "./libraries/HubTypedData.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Refunds
/// @notice Payments to whomever the refund key names, each of them once.
/// @dev    Open to everyone: the signature binds hub, chain, clone, token, receiver, amount, id and
///         deadline, so whoever submits it decides nothing.
abstract contract Refunds is Deposits, Forwarders {
    /// @notice The gas that one refund or rescue is given.
    uint256 public constant REFUND_GAS = 350_000;

    /// @notice Whether a refund has been paid; it never becomes false again.
    mapping(bytes32 refundId => bool) public isRefundSpent;

    /// @notice Pays signed refunds out of deposit addresses, items isolated from each other.
    function refund(DepositRefund[] calldata items) external {
        for (uint256 i; i < items.length; ++i) {
            DepositRefund calldata item = items[i];
            (bool ok, bytes memory reason) = Isolation.attempt(
                address(this), abi.encodeCall(this.refundItem, (item)), REFUND_GAS
            );
            if (!ok) emit RefundFailed(item.refund.refundId, reason);
        }
    }

    /// @notice Pays what was sent to forwarders by mistake, items isolated from each other.
    function rescue(ForwarderRescue[] calldata items) external {
        for (uint256 i; i < items.length; ++i) {
            ForwarderRescue calldata item = items[i];
            (bool ok, bytes memory reason) = Isolation.attempt(
                address(this), abi.encodeCall(this.rescueItem, (item)), REFUND_GAS
            );
            if (!ok) emit RefundFailed(item.refund.refundId, reason);
        }
    }

    /// @notice One refund of a batch; only the hub itself may call it.
    /// @dev    1. The signature must be the refund key's, in time, unspent, and name this deposit.
    ///         2. If this deploys the deposit, no fee has been charged yet: record that all of it
    ///            is left, since a later sweep will not be the deploying one.
    ///         3. Pay.
    function refundItem(DepositRefund calldata item) external onlyHub {
        bytes32 salt =
            _depositSalt(item.merchantId, item.invoiceId, item.recipient, item.maxFee);
        _spend(item.refund, item.signature, _cloneAddress(salt));
        (address deposit, bool deployed) = _cloneAt(salt);
        if (deployed && item.maxFee != 0) feeLeft[deposit] = item.maxFee;
        _payRefund(item.refund);
    }

    /// @notice One rescue of a batch; only the hub itself may call it.
    /// @dev    The same checks as for a refund, with a forwarder as the source. What it takes of the
    ///         fees held there is not owed any more.
    function rescueItem(ForwarderRescue calldata item) external onlyHub {
        _spend(item.refund, item.signature, forwarderAddress(item.merchantId));
        (address forwarder,) = _forwarderOf(item.merchantId);
        _payRefund(item.refund);
        if (item.refund.token != address(0)) _limitFeeHeld(forwarder, item.refund.token);
    }

    /// @dev Marks a refund as spent, before any other contract is called, if it may be paid.
    function _spend(Refund calldata order, bytes calldata signature, address source) private {
        if (order.source != source) revert WrongSource(order.source, source);
        if (order.amount == 0) revert AmountIsZero();
        _requireReceiver(order.to);
        if (block.timestamp > order.deadline) {
            revert RefundExpired(order.deadline, block.timestamp);
        }
        bytes32 digest = HubTypedData.refundDigest(order, address(this), block.chainid);
        address signer = ECDSA.tryRecoverCalldata(digest, signature);
        if (signer != refundSigner) revert WrongSigner(signer, refundSigner);
        if (isRefundSpent[order.refundId]) revert RefundSpent(order.refundId);
        isRefundSpent[order.refundId] = true;
    }

    function _payRefund(Refund calldata order) private {
        if (order.token == address(0)) {
            uint256 held = order.source.balance;
            if (held < order.amount) revert DepositHoldsLess(held, order.amount);
            Forwarder(order.source).payNative(order.to, order.amount);
        } else {
            _payFrom(order.source, order.token, order.to, order.amount, address(0), 0);
        }
        emit Refunded(order.refundId, order.source, order.token, order.to, order.amount);
    }
}

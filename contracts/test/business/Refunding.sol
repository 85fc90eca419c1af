// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {Permits} from "./Permits.sol";

/// @notice Refunds out of deposits and rescues out of forwarders, in both tokens and native coin.
abstract contract Refunding is Permits {
    uint8 private constant REFUNDS = 4;

    uint256 public refunds;
    uint256 public rescues;

    IRemitHub.DepositRefund[] internal oldRefunds;

    function refundSome(uint256 seed, uint256 amount, uint256 feeLeft) external {
        IRemitHub.DepositRefund memory item = anyRefund(seed);
        uint256 held = balance(item.refund.token, item.refund.source);
        item.refund.amount = within(amount, 1, held + 1 + held / 8);
        item.refund.feeLeft = within(feeLeft, 0, item.maxFee + item.maxFee / 8);
        item.signature = signed(item.refund, roles.refundKey);
        refundChecked(item);
    }

    function rescueSome(uint256 seed, uint256 amount) external {
        uint256 m = seed % MERCHANTS;
        IRemitHub.ForwarderRescue memory item;
        item.merchantId = merchantOf(m);
        address token = anyMoney(seed);
        uint256 held = balance(token, forwarders[m]);
        amount = within(amount, 1, held + 1 + held / 8);
        item.refund =
            IRemitHub.Refund(++count, forwarders[m], token, RECIPIENT, amount, 0, block.timestamp);
        item.signature = signed(item.refund, roles.refundKey);
        uint256 received = balance(token, RECIPIENT);
        rescue(item);
        uint256 moved = held - balance(token, forwarders[m]);
        vm.assertEq(balance(token, RECIPIENT) - received, moved, "to whom the order names");
        checkPaid(item.refund, moved);
        if (token != NATIVE) checkFeeHeld(forwarders[m], token);
        if (moved != 0) ++rescues;
    }

    /// @dev Submits again what was carried out, payments too, by any caller and on any chain id.
    function replay(uint256 seed) external {
        bytes32 before = fingerprint();
        uint256 native = RECIPIENT.balance;
        if (oldRefunds.length != 0) refund(oldRefunds[seed % oldRefunds.length]);
        replayPayment(seed);
        replayPermit();
        replayEntry(seed);
        vm.assertEq(fingerprint(), before, "a replay moves nothing");
        vm.assertEq(RECIPIENT.balance, native, "nor native coin");
    }

    /// @dev An order for another chain or source, to a receiver that may not be one, or too late.
    function refundWrongly(uint256 seed) external {
        IRemitHub.DepositRefund memory item = anyRefund(seed);
        item.refund.amount = 1;
        uint256 kind = (seed >> 120) % 4;
        if (kind == 0) item.refund.source = forwarders[0];
        if (kind == 1) item.refund.to = address(hub);
        if (kind == 2) item.refund.deadline = block.timestamp - 1;
        uint256 here = block.chainid;
        if (kind == 3) vm.chainId(here + 1);
        item.signature = signed(item.refund, roles.refundKey);
        vm.chainId(here);
        bytes32 before = fingerprint();
        refund(item);
        vm.assertFalse(hub.isRefundSpent(item.refund.refundId), "refused");
        vm.assertEq(fingerprint(), before, "nothing moved");
    }

    function refundChecked(IRemitHub.DepositRefund memory item) internal {
        IRemitHub.Refund memory order = item.refund;
        uint256 held = balance(order.token, order.source);
        uint256 received = balance(order.token, RECIPIENT);
        bool wasDeployed = order.source.code.length != 0;
        refund(item);
        uint256 moved = held - balance(order.token, order.source);
        vm.assertEq(balance(order.token, RECIPIENT) - received, moved, "to whom the order names");
        checkPaid(order, moved);
        checkFeesOf(order.source);
        if (moved == 0) {
            vm.assertTrue(wasDeployed == (order.source.code.length != 0), "nothing is deployed");
            return;
        }
        vm.assertTrue(order.feeLeft <= item.maxFee, "no more than the address allows");
        oldRefunds.push(item);
        ++refunds;
    }

    /// @dev An order of nothing yet, out of any deposit.
    function anyRefund(uint256 seed) internal returns (IRemitHub.DepositRefund memory item) {
        IRemitHub.Sweep memory terms = anySweep(seed);
        (item.merchantId, item.invoiceId) = (terms.merchantId, terms.invoiceId);
        (item.recipient, item.maxFee) = (terms.recipient, terms.maxFee);
        item.refund = IRemitHub.Refund(
            ++count, depositOf(terms), anyMoney(seed), RECIPIENT, 0, 0, block.timestamp
        );
    }

    function anyMoney(uint256 seed) internal view returns (address) {
        return seed >> 103 & 3 == 0 ? NATIVE : goodToken(seed);
    }

    /// @dev All of an order is paid, once and while refunds run, or nothing.
    function checkPaid(IRemitHub.Refund memory order, uint256 moved) private {
        vm.assertTrue(moved == 0 || moved == order.amount, "all of it or nothing");
        vm.assertTrue(hub.isRefundSpent(order.refundId) == (moved != 0), "spent when it is paid");
        if (moved == 0) return;
        vm.assertFalse(isStopped(REFUNDS), "refunds are stopped");
        noteRefund(order);
    }

    // From the rest of the business

    function replayEntry(uint256 seed) internal virtual;
    /// @dev A refund was paid: it must lie within the limit, where there is one.
    function noteRefund(IRemitHub.Refund memory order) internal virtual;
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice How much a refund key can move: never more than the limit in any 24 hours.
contract RefundLimitTest is HubTest {
    uint256 private constant PERIOD = 8 hours;
    uint256 private constant LIMIT = REFUND_LIMIT;

    address private deposit;
    /// @dev What was paid, and when: the reference.
    uint256[] private times;
    uint256[] private amounts;

    function setUp() public override {
        super.setUp();
        harden();
        deposit = hub.depositAddress(MERCHANT, INVOICE, address(0), MAX_FEE);
        usdc.mint(deposit, 1e15);
        usdt.mint(deposit, 1e15);
        vm.warp(1_750_003_200 / PERIOD * PERIOD); // The first second of a period.
    }

    function pay(uint256 id, uint256 amount) private returns (bool paid) {
        refund(refundOf(id, address(usdc), RECIPIENT, amount));
        paid = hub.isRefundSpent(id);
    }

    function expectNoRoom(uint256 id, uint256 amount, uint256 room) private {
        expectRefundRefused(
            refundOf(id, address(usdc), RECIPIENT, amount),
            abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, amount, room)
        );
    }

    function test_a_refund_key_moves_the_limit_and_no_more() public {
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT, "all of it");
        vm.assertTrue(pay(1, 600e6), "within");
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT - 600e6, "the rest");
        expectNoRoom(2, 400e6 + 1, 400e6);
        vm.assertTrue(pay(3, 400e6), "exactly the rest");
        expectNoRoom(4, 1, 0);
        vm.assertEq(usdc.balanceOf(RECIPIENT), LIMIT, "the limit");
    }

    function test_room_returns_when_the_fourth_period_ends() public {
        pay(1, LIMIT);
        vm.warp(block.timestamp + 4 * PERIOD - 1);
        expectNoRoom(2, 1, 0);
        vm.warp(block.timestamp + 1);
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT, "all of it");
        vm.assertTrue(pay(2, LIMIT), "again");
    }

    function test_a_refund_that_fails_takes_no_room() public {
        refund(refundOf(1, address(usdc), address(usdc), 10e6)); // Circle's token refuses itself.
        vm.assertFalse(hub.isRefundSpent(1), "unspent");
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT, "all of it");
    }

    function test_every_token_has_a_limit_of_its_own() public {
        pay(1, LIMIT);
        refund(refundOf(2, address(usdt), RECIPIENT, LIMIT));
        vm.assertEq(usdt.balanceOf(RECIPIENT), LIMIT, "the other token");
        vm.deal(deposit, 2 ether);
        refund(refundOf(3, address(0), RECIPIENT, 1 ether));
        vm.assertEq(RECIPIENT.balance, 1 ether, "native coin");
        expectRefundRefused(
            refundOf(4, address(0), RECIPIENT, 1),
            abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, 1, 0)
        );
    }

    function test_rescues_take_from_the_same_room() public {
        usdc.mint(hub.forwarderAddress(MERCHANT), LIMIT);
        pay(1, LIMIT - 5);
        expectRescueRefused(
            rescueOf(2, address(usdc), RECIPIENT, 6),
            abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, 6, 5)
        );
        rescue(rescueOf(3, address(usdc), RECIPIENT, 5));
        vm.assertEq(hub.refundRoom(address(usdc)), 0, "nothing is left");
    }

    function test_a_token_that_the_owner_never_named_is_refunded_by_approval_only() public {
        vm.etch(STRANGER, address(usdt).code);
        (bool ok,) = STRANGER.call(abi.encodeCall(usdt.mint, (deposit, 5e6)));
        vm.assertTrue(ok, "minted");
        IRemitHub.DepositRefund memory order = refundOf(1, STRANGER, RECIPIENT, 5e6);
        expectRefundRefused(
            order, abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, 5e6, 0)
        );
        vm.prank(OWNER);
        hub.approveRefund(digestOf(order.refund));
        refund(order);
        vm.assertTrue(hub.isRefundSpent(1), "paid");
    }

    function test_an_approved_order_needs_no_room_but_its_signature() public {
        IRemitHub.DepositRefund memory order =
            refundOf(1, address(usdc), RECIPIENT, 50 * LIMIT);
        bytes32 digest = digestOf(order.refund);
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundApproved(digest);
        vm.prank(OWNER);
        hub.approveRefund(digest);
        vm.assertTrue(hub.isRefundApproved(digest), "approved");
        bytes memory signature = order.signature;
        order.signature = signed(order.refund, CONFIG_KEY);
        expectRefundRefused(
            order, abi.encodeWithSelector(IHubErrors.BadSignature.selector, vm.addr(REFUND_KEY))
        );
        order.signature = signature;
        refund(order);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 50 * LIMIT, "paid");
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT, "and not booked");
        expectRefundRefused(
            order, abi.encodeWithSelector(IHubErrors.RefundSpent.selector, 1)
        );
    }

    function test_an_approval_is_for_one_order() public {
        IRemitHub.DepositRefund memory order =
            refundOf(1, address(usdc), RECIPIENT, 50 * LIMIT);
        vm.prank(OWNER);
        hub.approveRefund(digestOf(order.refund));
        order.refund.to = STRANGER;
        order.signature = signed(order.refund, REFUND_KEY);
        expectRefundRefused(
            order,
            abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, 50 * LIMIT, LIMIT)
        );
    }

    /// @dev One that would have fitted anyway is booked like any other.
    function test_an_approved_order_that_fits_is_booked() public {
        IRemitHub.DepositRefund memory order = refundOf(1, address(usdc), RECIPIENT, 5e6);
        vm.prank(OWNER);
        hub.approveRefund(digestOf(order.refund));
        refund(order);
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT - 5e6, "booked");
    }

    function test_a_lowered_limit_counts_what_was_paid_before() public {
        pay(1, 600e6);
        vm.prank(OWNER);
        hub.setToken(address(usdc), true, 6, 500e6);
        vm.assertEq(hub.refundRoom(address(usdc)), 0, "no room");
        expectNoRoom(2, 1, 0);
        vm.prank(OWNER);
        hub.setToken(address(usdc), true, 6, 0);
        vm.warp(block.timestamp + 365 days);
        expectNoRoom(3, 1, 0);
    }

    function test_without_a_limit_nothing_is_booked() public {
        proposeAndExecute(abi.encodeCall(hub.setToken, (address(usdc), true, 6, UNLIMITED)));
        vm.assertEq(hub.refundRoom(address(usdc)), type(uint256).max, "unlimited");
        pay(1, 1e12);
        vm.prank(OWNER);
        hub.setToken(address(usdc), true, 6, REFUND_LIMIT);
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT, "all of it");
    }

    /// @dev Any sequence of refunds, of any amounts, at any times: what is paid is what the four
    ///      periods leave room for, and no 24 hours ever see more than the limit.
    function testFuzz_no_rolling_day_sees_more_than_the_limit(uint256 seed) public {
        for (uint256 i; i < 40; ++i) {
            uint256 dice = uint256(keccak256(abi.encode(seed, i)));
            vm.warp(block.timestamp + (dice % 3 == 0 ? 0 : within(dice >> 8, 1, 9 hours)));
            uint256 amount = within(dice >> 64, 1, dice >> 32 & 1 == 0 ? LIMIT / 5 : LIMIT);
            uint256 room = LIMIT - sumSince((block.timestamp / PERIOD - 3) * PERIOD);
            vm.assertEq(hub.refundRoom(address(usdc)), room, "room");
            bool paid = pay(i, amount);
            vm.assertTrue(paid == (amount <= room), "paid if there is room");
            if (!paid) continue;
            times.push(block.timestamp);
            amounts.push(amount);
            vm.assertLe(sumSince(block.timestamp - 24 hours), LIMIT, "the last 24 hours");
        }
    }

    function sumSince(uint256 time) private view returns (uint256 sum) {
        for (uint256 i; i < times.length; ++i) {
            if (times[i] >= time) sum += amounts[i];
        }
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The thief has the refund signer's key: he signs any refund, to himself.
contract RefundKeyAttack is LiveHub {
    uint256 private constant DEPOSITS = 40;
    uint256 private constant EACH = 100e6;

    function setUp() public override {
        super.setUp();
        for (uint256 i; i < DEPOSITS; ++i) usdc.mint(depositOf(invoice(i)), EACH);
        usdc.mint(hub.forwarderAddress(MERCHANT), 5_000e6);
    }

    function test_it_takes_the_limit_and_no_more_at_once() public {
        for (uint256 i; i < DEPOSITS; ++i) steal(i, EACH);
        vm.assertEq(usdc.balanceOf(THIEF), LIMIT, "the limit of a day");
        stealFromForwarder(1);
        vm.assertEq(usdc.balanceOf(THIEF), LIMIT, "a forwarder is within the same limit");
    }

    function test_one_unit_above_the_limit_is_refused() public {
        usdc.mint(depositOf(invoice(0)), LIMIT);
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundFailed(
            1, abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, LIMIT + 1, LIMIT)
        );
        steal(0, LIMIT + 1);
        steal(0, LIMIT);
        vm.assertEq(usdc.balanceOf(THIEF), LIMIT, "all that there is room for");
        vm.assertEq(hub.refundRoom(address(usdc)), 0, "no room is left");
    }

    /// @dev The thief takes all that the limit permits, at times of his choice. His gain in any 24
    ///      hours is counted from his balance, not from the hub's books.
    function testFuzz_no_24_hours_see_more_than_the_limit(uint256[24] memory steps) public {
        usdc.mint(depositOf(invoice(0)), 1e15);
        uint256[24] memory at;
        uint256[24] memory got;
        for (uint256 i; i < steps.length; ++i) {
            vm.warp(block.timestamp + within(steps[i], 0, 9 hours));
            uint256 before = usdc.balanceOf(THIEF);
            steal(0, within(steps[i] >> 128, 1, 2 * uint256(LIMIT)));
            steal(0, hub.refundRoom(address(usdc)));
            (at[i], got[i]) = (block.timestamp, usdc.balanceOf(THIEF) - before);
            uint256 sum;
            for (uint256 j; j <= i; ++j) {
                if (at[j] + 24 hours >= block.timestamp) sum += got[j];
            }
            vm.assertLe(sum, LIMIT, "in the 24 hours up to now");
        }
        vm.assertTrue(usdc.balanceOf(THIEF) >= LIMIT, "he did get something");
    }

    function test_a_token_without_a_limit_of_its_own_can_not_be_taken() public {
        address deposit = depositOf(invoice(0));
        vm.deal(deposit, 1 ether);
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundFailed(
            1, abi.encodeWithSelector(IHubErrors.RefundLimitReached.selector, 1, 0)
        );
        refund(refundBy(REFUND_KEY, invoice(0), address(0), THIEF, 1));
        vm.assertEq(THIEF.balance, 0, "native coin has no limit until the owner gives it one");
    }

    function test_the_guardian_stops_it_at_once() public {
        vm.prank(GUARDIAN);
        hub.stop(4);
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundFailed(1, abi.encodeWithSelector(IHubErrors.IsStopped.selector, 4));
        steal(0, 1);
        stealFromForwarder(1);
        vm.assertEq(usdc.balanceOf(THIEF), 0, "nothing after the stop");
    }

    function test_the_owner_retires_the_key_at_once() public {
        vm.prank(OWNER);
        hub.setRefundSigner(address(0));
        steal(0, 1);
        stealFromForwarder(1);
        vm.assertEq(usdc.balanceOf(THIEF), 0, "nothing after that");
    }

    function test_the_owner_lowers_the_limit_at_once() public {
        steal(0, 60e6);
        vm.prank(OWNER);
        hub.setToken(address(usdc), true, 6, 60e6);
        steal(1, 1);
        vm.assertEq(usdc.balanceOf(THIEF), 60e6, "what was booked counts");
    }

    function test_it_can_not_approve_an_order_itself() public {
        IRemitHub.DepositRefund memory item =
            refundBy(REFUND_KEY, invoice(0), address(usdc), THIEF, LIMIT + 1);
        usdc.mint(item.refund.source, LIMIT);
        expectRefused(
            vm.addr(REFUND_KEY),
            abi.encodeCall(hub.approveRefund, (digestOf(item.refund))),
            abi.encodeWithSelector(
                IHubErrors.NotOwner.selector, vm.addr(REFUND_KEY), OWNER
            )
        );
        refund(item);
        vm.assertEq(usdc.balanceOf(THIEF), 0, "too much without the owner");
    }

    function test_what_the_owner_approved_pays_no_other_order() public {
        usdc.mint(depositOf(invoice(0)), 10 * uint256(LIMIT));
        IRemitHub.DepositRefund memory large =
            refundBy(REFUND_KEY, invoice(0), address(usdc), CUSTOMER, LIMIT * 2);
        bytes32 digest = digestOf(large.refund);
        vm.prank(OWNER);
        hub.approveRefund(digest);
        large.refund.to = THIEF;
        large.signature = signed(large.refund, REFUND_KEY);
        refund(large);
        vm.assertEq(usdc.balanceOf(THIEF), 0, "another receiver is another order");
        large.refund.to = CUSTOMER;
        large.signature = packed(REFUND_KEY, digest);
        refund(large);
        refund(large);
        vm.assertEq(usdc.balanceOf(CUSTOMER), LIMIT * 2, "the approved one, once");
        vm.assertEq(hub.refundRoom(address(usdc)), LIMIT, "outside of the limit");
    }

    function test_a_chain_has_a_limit_of_its_own_and_a_signature_one_chain() public {
        IRemitHub.DepositRefund memory item =
            refundBy(REFUND_KEY, invoice(0), address(usdc), THIEF, EACH);
        vm.chainId(8453);
        refund(item);
        vm.assertEq(usdc.balanceOf(THIEF), 0, "signed for another chain");
    }

    /// @dev A fee that a refund leaves may be charged later, but never more than the address allows.
    function test_it_can_not_raise_a_fee() public {
        IRemitHub.DepositRefund memory item =
            refundBy(REFUND_KEY, invoice(0), address(usdc), THIEF, 1);
        item.refund.feeLeft = MAX_FEE + 1;
        item.signature = signed(item.refund, REFUND_KEY);
        refund(item);
        vm.assertEq(hub.feeLeft(item.refund.source), 0, "refused");
        vm.assertEq(usdc.balanceOf(THIEF), 0, "and nothing was paid");
    }

    function steal(uint256 index, uint256 amount) private {
        refund(refundBy(REFUND_KEY, invoice(index), address(usdc), THIEF, amount));
    }

    function stealFromForwarder(uint256 amount) private {
        rescue(rescueTo(address(usdc), THIEF, amount));
    }

    function invoice(uint256 index) private pure returns (bytes16) {
        return bytes16(uint128(0x1000 + index));
    }
}

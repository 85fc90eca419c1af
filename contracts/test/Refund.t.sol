// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";
import {Signing} from "./support/Signing.sol";

contract RefundTest is HubTest {
    address private deposit;

    function setUp() public override {
        super.setUp();
        deposit = hub.depositAddress(MERCHANT, INVOICE, address(0), MAX_FEE);
        usdc.mint(deposit, 100e6);
    }

    function test_anyone_may_carry_a_signed_refund() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 40e6);
        vm.expectEmit(address(hub));
        emit IRemitHub.Refunded(1, deposit, address(usdc), RECIPIENT, 40e6);
        vm.prank(STRANGER);
        refund(item);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 40e6, "receiver");
        vm.assertEq(usdc.balanceOf(deposit), 60e6, "deposit");
        vm.assertTrue(hub.isRefundSpent(1), "spent");
    }

    function test_a_refund_is_paid_once() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 40e6);
        refund(item);
        expectRefundRefused(
            item, abi.encodeWithSelector(IHubErrors.RefundSpent.selector, 1)
        );
        vm.assertEq(usdc.balanceOf(RECIPIENT), 40e6, "receiver");
    }

    function test_an_id_is_spent_once_whatever_else_is_signed_for_it() public {
        refund(refundOf(1, address(usdc), RECIPIENT, 40e6));
        expectRefundRefused(
            refundOf(1, address(usdc), STRANGER, 1e6),
            abi.encodeWithSelector(IHubErrors.RefundSpent.selector, 1)
        );
    }

    function testFuzz_only_the_refund_key_signs(uint256 key) public {
        key = within(key, 1, type(uint128).max);
        vm.assume(key != REFUND_KEY);
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), STRANGER, 40e6);
        item.signature = signed(item.refund, key);
        expectRefundRefused(
            item,
            abi.encodeWithSelector(
                IHubErrors.BadSignature.selector, vm.addr(REFUND_KEY)
            )
        );
    }

    function testFuzz_a_malformed_signature_is_refused(bytes calldata signature) public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), STRANGER, 40e6);
        item.signature = signature;
        refund(item);
        vm.assertEq(usdc.balanceOf(deposit), 100e6, "nothing moved");
        vm.assertFalse(hub.isRefundSpent(1), "unspent");
    }

    function testFuzz_no_field_can_be_changed(
        address token,
        address to,
        uint256 amount,
        uint256 deadline
    ) public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 40e6);
        vm.assume(
            token != address(usdc) || to != RECIPIENT || amount != 40e6
                || deadline != item.refund.deadline
        );
        item.refund.token = token;
        item.refund.to = to;
        item.refund.amount = amount;
        item.refund.deadline = deadline;
        refund(item);
        vm.assertEq(usdc.balanceOf(deposit), 100e6, "nothing moved");
        vm.assertFalse(hub.isRefundSpent(1), "unspent");
    }

    function test_a_refund_is_bound_to_its_chain_and_hub() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 40e6);
        item.signature =
            packed(REFUND_KEY, Signing.refund(item.refund, address(hub), block.chainid + 1));
        refund(item);
        item.signature =
            packed(REFUND_KEY, Signing.refund(item.refund, address(usdc), block.chainid));
        refund(item);
        vm.assertEq(usdc.balanceOf(deposit), 100e6, "nothing moved");
    }

    function test_a_refund_is_bound_to_its_deposit() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 40e6);
        item.invoiceId = bytes16(uint128(0x1B));
        address other = hub.depositAddress(MERCHANT, item.invoiceId, address(0), MAX_FEE);
        usdc.mint(other, 100e6);
        expectRefundRefused(
            item, abi.encodeWithSelector(IHubErrors.WrongSource.selector, deposit, other)
        );
    }

    function test_the_deadline_is_the_last_good_second() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 40e6);
        IRemitHub.DepositRefund memory late = refundOf(2, address(usdc), RECIPIENT, 40e6);
        uint256 deadline = item.refund.deadline;
        vm.warp(deadline);
        refund(item);
        vm.assertTrue(hub.isRefundSpent(1), "in time");
        vm.warp(deadline + 1);
        expectRefundRefused(
            late,
            abi.encodeWithSelector(IHubErrors.RefundExpired.selector, deadline, deadline + 1)
        );
    }

    function test_a_refund_that_fails_stays_unspent() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 101e6);
        expectRefundRefused(
            item, abi.encodeWithSelector(IHubErrors.DepositHoldsLess.selector, 100e6, 101e6)
        );
        vm.assertFalse(hub.isRefundSpent(1), "unspent");
        vm.assertEq(deposit.code.length, 0, "not deployed");
        usdc.mint(deposit, 1e6);
        refund(item);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 101e6, "paid later");
    }

    function test_nobody_and_the_hub_receive_nothing() public {
        expectRefundRefused(
            refundOf(1, address(usdc), address(0), 1e6),
            abi.encodeWithSelector(IHubErrors.ZeroAddress.selector)
        );
        expectRefundRefused(
            refundOf(1, address(usdc), address(hub), 1e6),
            abi.encodeWithSelector(IHubErrors.HubAsReceiver.selector, address(hub))
        );
        expectRefundRefused(
            refundOf(1, address(usdc), RECIPIENT, 0),
            abi.encodeWithSelector(IHubErrors.AmountIsZero.selector)
        );
    }

    function test_a_bad_item_leaves_the_others_alone() public {
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](3);
        items[0] = refundOf(1, address(usdc), RECIPIENT, 1e6);
        items[1] = refundOf(2, address(usdc), RECIPIENT, 500e6);
        items[2] = refundOf(3, address(usdc), RECIPIENT, 4e6);
        hub.refund(items, ITEM_GAS);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 5e6, "two of three");
    }

    function test_a_wrong_token_comes_back_the_same_way() public {
        usdt.mint(deposit, 7e6);
        refund(refundOf(1, address(usdt), RECIPIENT, 7e6));
        vm.assertEq(usdt.balanceOf(RECIPIENT), 7e6, "receiver");
    }

    function test_native_coin_sent_before_deployment_comes_back() public {
        vm.deal(deposit, 3 ether);
        expectRefundRefused(
            refundOf(1, address(0), RECIPIENT, 4 ether),
            abi.encodeWithSelector(IHubErrors.DepositHoldsLess.selector, 3 ether, 4 ether)
        );
        refund(refundOf(1, address(0), RECIPIENT, 3 ether));
        vm.assertEq(RECIPIENT.balance, 3 ether, "receiver");
        vm.assertEq(usdc.balanceOf(deposit), 100e6, "the token stays");
    }

    function test_a_receiver_that_calls_back_is_not_paid_twice() public {
        vm.deal(deposit, 2 ether);
        Greedy greedy = new Greedy();
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](1);
        items[0] = refundOf(1, address(0), address(greedy), 1 ether);
        greedy.prepare(address(hub), abi.encodeCall(hub.refund, (items, ITEM_GAS)));
        hub.refund(items, ITEM_GAS);
        vm.assertEq(address(greedy).balance, 1 ether, "paid once");
    }

    function test_single_items_are_the_hubs_own_affair() public {
        IRemitHub.DepositRefund memory item = refundOf(1, address(usdc), RECIPIENT, 40e6);
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.NotHub.selector, address(this), address(hub))
        );
        hub.refundItem(item);
    }

    function testFuzz_no_supply_of_gas_makes_a_good_refund_fail(uint256 gasLimit) public {
        gasLimit = within(gasLimit, 40_000, 600_000);
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](1);
        items[0] = refundOf(1, address(usdc), RECIPIENT, 40e6);
        (bool ok,) = address(hub).call{gas: gasLimit}(abi.encodeCall(hub.refund, (items, ITEM_GAS)));
        vm.assertEq(usdc.balanceOf(RECIPIENT), ok ? 40e6 : 0, "reverted or paid");
    }
}

/// @notice Tries to have the same refund paid again while it is being paid.
contract Greedy {
    address private _hub;
    bytes private _call;

    function prepare(address hub, bytes calldata call) external {
        (_hub, _call) = (hub, call);
    }

    receive() external payable {
        (bool ok,) = _hub.call(_call);
        ok;
    }
}

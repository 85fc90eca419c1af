// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Forwarder} from "../src/Forwarder.sol";
import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {BurningToken, HungryToken} from "./doubles/Tokens.sol";
import {HubTest} from "./support/HubTest.sol";
import {Vm} from "./support/Test.sol";

/// @notice A fee is charged once and never above the cap, in spite of tokens and blacklists.
contract SweepFeeTest is HubTest {
    function funded(uint256 amount, uint256 fee) private returns (IRemitHub.Sweep memory item) {
        item = sweepOf(address(usdc), amount, fee);
        usdc.mint(depositOf(item), amount);
    }

    function testFuzz_no_fee_above_the_cap(uint256 fee) public {
        fee = within(fee, MAX_FEE + 1, type(uint256).max);
        IRemitHub.Sweep memory item = funded(100e6, fee);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.FeeAboveCap.selector, fee, MAX_FEE)
        );
    }

    function test_no_fee_above_the_amount() public {
        IRemitHub.Sweep memory item = funded(1e6, 2e6);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.FeeAboveAmount.selector, 2e6, 1e6)
        );
    }

    function test_a_fee_may_be_the_whole_amount() public {
        sweep(funded(1e6, 1e6));
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "treasury");
    }

    function testFuzz_a_second_sweep_cannot_charge(uint256 first, uint256 second) public {
        first = within(first, 0, MAX_FEE);
        second = within(second, 1, MAX_FEE);
        sweep(funded(100e6, first));
        IRemitHub.Sweep memory again = funded(100e6, second);
        expectSweepRefused(
            again, abi.encodeWithSelector(IHubErrors.FeeNotAvailable.selector, second, 0)
        );
        again.fee = 0;
        sweep(again);
        vm.assertEq(usdc.balanceOf(COLLECTOR), first, "charged once");
        vm.assertEq(usdc.balanceOf(TREASURY), 200e6 - first, "treasury");
    }

    function test_a_blacklisted_collector_does_not_hold_up_the_merchant() public {
        usdc.blacklist(COLLECTOR);
        IRemitHub.Sweep memory item = funded(100e6, 1e6);
        address deposit = depositOf(item);
        vm.expectEmit(address(hub));
        emit IRemitHub.FeeOwed(deposit, address(usdc), 1e6);
        vm.expectEmit(address(hub));
        emit IRemitHub.Swept(deposit, address(usdc), 99e6, 0);
        sweep(item);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(usdc.balanceOf(deposit), 1e6, "the fee stays");
        vm.assertEq(hub.feeLeft(deposit), 1e6, "and is recorded");
    }

    function test_a_fee_owed_is_charged_later_and_only_once() public {
        usdc.blacklist(COLLECTOR);
        IRemitHub.Sweep memory item = funded(100e6, 1e6);
        address deposit = depositOf(item);
        sweep(item);
        sweep(sweepOf(address(usdc), 1e6, 1e6));
        vm.assertEq(hub.feeLeft(deposit), 1e6, "refused again, still owed");
        usdc.unBlacklist(COLLECTOR);
        expectSweepRefused(
            sweepOf(address(usdc), 1e6, 1e6 + 1),
            abi.encodeWithSelector(IHubErrors.FeeAboveAmount.selector, 1e6 + 1, 1e6)
        );
        sweep(sweepOf(address(usdc), 4e5, 4e5));
        vm.assertEq(hub.feeLeft(deposit), 6e5, "the rest is left");
        sweep(sweepOf(address(usdc), 6e5, 6e5));
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
        usdc.mint(deposit, 1e6);
        expectSweepRefused(
            sweepOf(address(usdc), 1e6, 1), abi.encodeWithSelector(IHubErrors.FeeNotAvailable.selector, 1, 0)
        );
    }

    function test_a_smaller_fee_that_is_refused_leaves_what_was_owed_before() public {
        usdc.blacklist(COLLECTOR);
        IRemitHub.Sweep memory item = funded(100e6, 1e6);
        sweep(item);
        sweep(sweepOf(address(usdc), 5e5, 4e5));
        vm.assertEq(hub.feeLeft(depositOf(item)), 1e6, "all of it is still owed");
    }

    function test_another_collector_frees_an_owed_fee() public {
        usdc.blacklist(COLLECTOR);
        sweep(funded(100e6, 1e6));
        vm.prank(OWNER);
        hub.setFeeCollector(RECIPIENT);
        sweep(sweepOf(address(usdc), 1e6, 1e6));
        vm.assertEq(usdc.balanceOf(RECIPIENT), 1e6, "the new collector");
    }

    function test_a_token_that_burns_gas_on_the_fee_does_not_hold_up_the_merchant() public {
        BurningToken token = new BurningToken(COLLECTOR);
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 100e6, 1e6);
        token.mint(depositOf(item), 100e6);
        sweep(item);
        vm.assertEq(token.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(hub.feeLeft(depositOf(item)), 1e6, "owed");
    }

    function test_without_a_fee_there_is_no_leg_for_it() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 100e6, 0);
        usdc.mint(depositOf(item), 100e6);
        vm.prank(RELAYER);
        hub.sweep(batch(item), IRemitHub.Gas(ITEM_GAS, type(uint256).max, type(uint256).max));
        vm.assertEq(usdc.balanceOf(TREASURY), 100e6, "treasury");
    }

    /// @dev The collector is willing, but the treasury's leg leaves too little gas for the fee's.
    function test_a_fee_that_lacks_gas_is_not_taken_for_refused() public {
        HungryToken token = new HungryToken(TREASURY);
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 100e6, 1e6);
        address deposit = depositOf(item);
        token.mint(deposit, 100e6);
        vm.recordLogs();
        sweep(item);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        // The transfer that was undone is recorded too.
        Vm.Log memory last = logs[logs.length - 1];
        vm.assertEq(last.topics[0], IRemitHub.SweepFailed.selector, "the sweep failed");
        bytes memory reason = abi.decode(last.data, (bytes));
        vm.assertEq(bytes32(bytes4(reason)), Forwarder.FeeGasTooLow.selector, "for lack of gas");
        vm.assertEq(token.balanceOf(deposit), 100e6, "nothing moved");
        vm.assertEq(hub.feeLeft(deposit), 0, "nothing is owed");
    }

    function test_a_refund_that_deploys_leaves_the_fee_to_be_charged() public {
        IRemitHub.Sweep memory item = funded(100e6, 1e6);
        address deposit = depositOf(item);
        IRemitHub.DepositRefund memory order = refundOf(1, address(usdc), RECIPIENT, 10e6);
        order.refund.feeLeft = 3e6;
        order.signature = signed(order.refund, REFUND_KEY);
        refund(order);
        vm.assertEq(hub.feeLeft(deposit), 3e6, "as much as was signed");
        item.amount = 90e6;
        sweep(item);
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
        vm.assertEq(hub.feeLeft(deposit), 2e6, "what is left");
    }

    function test_a_refund_that_deploys_and_leaves_nothing_ends_the_fee() public {
        IRemitHub.Sweep memory item = funded(100e6, 1e6);
        refund(refundOf(1, address(usdc), RECIPIENT, 10e6));
        item.amount = 90e6;
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.FeeNotAvailable.selector, 1e6, 0)
        );
    }

    function testFuzz_no_refund_leaves_more_than_the_cap(uint256 left) public {
        left = within(left, MAX_FEE + 1, type(uint256).max);
        IRemitHub.DepositRefund memory order = refundOf(1, address(usdc), RECIPIENT, 10e6);
        order.refund.feeLeft = left;
        order.signature = signed(order.refund, REFUND_KEY);
        expectRefundRefused(
            order, abi.encodeWithSelector(IHubErrors.FeeAboveCap.selector, left, MAX_FEE)
        );
    }

    /// @dev Only the refund that deploys may state what is left.
    function test_a_refund_of_a_deployed_deposit_adds_no_fee() public {
        IRemitHub.Sweep memory item = funded(100e6, 1e6);
        sweep(item);
        usdc.mint(depositOf(item), 10e6);
        IRemitHub.DepositRefund memory order = refundOf(1, address(usdc), RECIPIENT, 10e6);
        order.refund.feeLeft = MAX_FEE;
        order.signature = signed(order.refund, REFUND_KEY);
        refund(order);
        vm.assertTrue(hub.isRefundSpent(1), "paid");
        vm.assertEq(hub.feeLeft(depositOf(item)), 0, "nothing is left");
    }

    function test_a_refund_after_the_sweep_leaves_no_fee() public {
        IRemitHub.Sweep memory item = funded(100e6, 1e6);
        sweep(item);
        usdc.mint(depositOf(item), 10e6);
        refund(refundOf(1, address(usdc), RECIPIENT, 10e6));
        vm.assertEq(hub.feeLeft(depositOf(item)), 0, "nothing is left");
    }

    /// @dev Any order of sweeps and refunds, any blacklisting: fees never add up to above the cap.
    function testFuzz_all_fees_together_keep_the_cap(uint256 seed) public {
        address deposit = depositOf(sweepOf(address(usdc), 0, 0));
        uint256 paidIn;
        for (uint256 i; i < 8; ++i) {
            uint256 dice = uint256(keccak256(abi.encode(seed, i)));
            usdc.mint(deposit, 10e6);
            paidIn += 10e6;
            if (dice % 4 == 0) {
                refund(refundOf(i + 1, address(usdc), RECIPIENT, 1 + dice % 7e6));
            } else if (dice % 4 == 1) {
                usdc.isBlacklisted(COLLECTOR) ? usdc.unBlacklist(COLLECTOR) : usdc.blacklist(COLLECTOR);
            } else {
                uint256 fee = within(dice >> 64, 0, MAX_FEE);
                sweep(sweepOf(address(usdc), within(dice >> 128, fee + 1, 10e6), fee));
            }
        }
        vm.assertLe(usdc.balanceOf(COLLECTOR), MAX_FEE, "the cap");
        uint256 out = usdc.balanceOf(COLLECTOR) + usdc.balanceOf(TREASURY) + usdc.balanceOf(RECIPIENT);
        vm.assertEq(out + usdc.balanceOf(deposit), paidIn, "in = out + held");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice Stops, and that the guardian can do nothing else.
contract GuardianTest is HubTest {
    address private deposit;
    address private forwarder;

    function setUp() public override {
        super.setUp();
        deposit = depositOf(sweepOf(address(usdc), 0, 0));
        forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(deposit, 100e6);
        usdc.mint(forwarder, 100e6 + 1);
        usdc.mint(vm.addr(PAYER_KEY), 100e6);
    }

    function stop(uint8 what) private {
        vm.prank(GUARDIAN);
        hub.stop(what);
    }

    function resume(uint8 what) private {
        vm.prank(OWNER);
        hub.resume(what);
    }

    function test_stops_add_up_and_end_one_by_one() public {
        vm.expectEmit(address(hub));
        emit IRemitHub.Stopped(1, GUARDIAN);
        stop(1);
        vm.expectEmit(address(hub));
        emit IRemitHub.Stopped(12, OWNER);
        vm.prank(OWNER);
        hub.stop(12);
        vm.assertEq(hub.stops(), 13, "all of them");
        vm.expectEmit(address(hub));
        emit IRemitHub.Resumed(4);
        resume(4);
        vm.assertEq(hub.stops(), 9, "the others");
        resume(255);
        vm.assertEq(hub.stops(), 0, "none");
    }

    function testFuzz_only_guardian_and_owner_stop(address caller, uint8 what) public {
        vm.assume(caller != GUARDIAN && caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotGuardian.selector, caller));
        vm.prank(caller);
        hub.stop(what);
    }

    function test_the_guardian_cannot_resume() public {
        stop(15);
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotOwner.selector, GUARDIAN, OWNER));
        vm.prank(GUARDIAN);
        hub.resume(15);
    }

    /// @dev Without a guardian the zero address has no powers.
    function test_the_zero_address_is_no_guardian() public {
        vm.prank(OWNER);
        hub.setGuardian(address(0));
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotGuardian.selector, STRANGER));
        vm.prank(STRANGER);
        hub.stop(1);
    }

    function test_sweeps_wait_while_they_are_stopped() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 100e6, 1e6);
        stop(1);
        expectSweepRefused(item, stopped(1));
        resume(1);
        stop(14);
        sweep(item);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "the other stops do not matter");
    }

    function test_distributions_wait_while_they_are_stopped_and_settlements_do_not() public {
        IRemitHub.Authorization[] memory items = batch(authorization(MERCHANT, 10e6, "n1"));
        stop(15);
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributeFailed(MERCHANT, address(usdc), stopped(2));
        settleAndDistribute(items, distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(forwarder), 110e6 + 1, "settled");
        resume(2);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(forwarder), 1, "distributed");
    }

    function test_refunds_and_rescues_wait_while_they_are_stopped() public {
        IRemitHub.DepositRefund memory order = refundOf(1, address(usdc), RECIPIENT, 1e6);
        IRemitHub.ForwarderRescue memory other = rescueOf(2, address(usdc), RECIPIENT, 1e6);
        stop(4);
        expectRefundRefused(order, stopped(4));
        expectRescueRefused(other, stopped(4));
        resume(4);
        stop(11);
        refund(order);
        rescue(other);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 2e6, "both are paid with the same signatures");
    }

    function test_registry_entries_wait_while_they_are_stopped() public {
        stop(8);
        expectConfigureRefused(entry(MERCHANT, RECIPIENT, 2), CONFIG_KEY, stopped(8));
        vm.prank(OWNER);
        hub.setMerchant(entry(OTHER_MERCHANT, RECIPIENT, 1));
        vm.assertEq(treasuryOf(OTHER_MERCHANT), RECIPIENT, "the owner writes all the same");
        resume(8);
        stop(7);
        configure(MERCHANT, RECIPIENT, 2);
        vm.assertEq(treasuryOf(MERCHANT), RECIPIENT, "written");
    }

    /// @dev A stop moves nothing, and a stopped batch reports it item by item.
    function test_a_stop_costs_items_their_turn_and_nothing_else() public {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](2);
        items[0] = items[1] = sweepOf(address(usdc), 50e6, 0);
        stop(1);
        vm.recordLogs();
        sweepAll(items);
        vm.assertEq(vm.getRecordedLogs().length, 2, "an event for each");
        vm.assertEq(usdc.balanceOf(deposit), 100e6, "nothing moved");
    }
}

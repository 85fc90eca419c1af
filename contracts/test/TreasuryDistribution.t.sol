// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice A merchant needs no operator to get its money, but cannot outrun a rescue.
contract TreasuryDistributionTest is HubTest {
    address private forwarder;

    function setUp() public override {
        super.setUp();
        forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(forwarder, 100e6 + 1);
        harden();
    }

    function announce() private returns (uint64 ripe) {
        vm.prank(TREASURY);
        hub.announceDistribution(MERCHANT);
        ripe = uint64(block.timestamp) + CONFIG_DELAY;
    }

    function distributeAs(address caller) private {
        vm.prank(caller);
        hub.distribute(address(usdc), distributionOf(MERCHANT, 1), plenty());
    }

    function expectRefused(address caller, bytes memory reason) private {
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributeFailed(MERCHANT, address(usdc), reason);
        distributeAs(caller);
        vm.assertEq(usdc.balanceOf(forwarder), 100e6 + 1, "nothing moved");
    }

    function notAnnounced() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IHubErrors.DistributionNotAnnounced.selector, MERCHANT);
    }

    function test_the_treasury_distributes_after_its_announcement() public {
        uint64 ripe = uint64(block.timestamp) + CONFIG_DELAY;
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributionAnnounced(MERCHANT, ripe);
        announce();
        vm.assertEq(hub.announcedAt(MERCHANT), block.timestamp, "announced");
        vm.warp(ripe - 1);
        expectRefused(
            TREASURY,
            abi.encodeWithSelector(IHubErrors.NotReady.selector, bytes32(MERCHANT), ripe)
        );
        vm.warp(ripe);
        distributeAs(TREASURY);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "the fee is charged all the same");
    }

    function test_an_announcement_serves_once() public {
        vm.warp(announce());
        distributeAs(TREASURY);
        usdc.mint(forwarder, 100e6);
        expectRefused(TREASURY, notAnnounced());
    }

    /// @dev Several items of one transaction are several distributions.
    function test_an_announcement_serves_one_item() public {
        vm.warp(announce());
        usdt.mint(forwarder, 10e6);
        IRemitHub.Distribution[] memory items = new IRemitHub.Distribution[](2);
        items[0] = items[1] = IRemitHub.Distribution(MERCHANT, 1);
        vm.prank(TREASURY);
        hub.distribute(address(usdt), items, plenty());
        expectRefused(TREASURY, notAnnounced());
    }

    /// @dev It cannot be kept for the day on which something is there to be outrun.
    function test_an_announcement_expires_after_a_day() public {
        uint64 ripe = announce();
        vm.warp(ripe + 1 days + 1);
        expectRefused(TREASURY, notAnnounced());
        vm.warp(announce() + 1 days);
        distributeAs(TREASURY);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "the last second is good");
    }

    function test_a_failed_distribution_does_not_use_the_announcement() public {
        vm.warp(announce());
        vm.prank(TREASURY);
        hub.distribute(address(usdc), distributionOf(MERCHANT, 2), plenty());
        distributeAs(TREASURY);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
    }

    function test_without_an_announcement_it_waits() public {
        expectRefused(TREASURY, notAnnounced());
    }

    function testFuzz_nobody_else_distributes(address caller) public {
        vm.assume(caller != RELAYER && caller != TREASURY && caller != address(0));
        vm.warp(announce());
        expectRefused(
            caller, abi.encodeWithSelector(IHubErrors.NotTreasury.selector, caller, TREASURY)
        );
    }

    function testFuzz_nobody_else_announces(address caller) public {
        vm.assume(caller != TREASURY);
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.NotTreasury.selector, caller, TREASURY)
        );
        vm.prank(caller);
        hub.announceDistribution(MERCHANT);
    }

    function test_a_merchant_without_an_entry_announces_nothing() public {
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.NotTreasury.selector, STRANGER, address(0))
        );
        vm.prank(STRANGER);
        hub.announceDistribution(OTHER_MERCHANT);
    }

    /// @dev What was sent to a forwarder by mistake, and is signed to go back, is safe for the delay.
    function test_a_merchant_cannot_outrun_a_rescue() public {
        IRemitHub.ForwarderRescue memory order = rescueOf(1, address(usdc), RECIPIENT, 100e6);
        announce();
        expectRefused(
            TREASURY,
            abi.encodeWithSelector(
                IHubErrors.NotReady.selector,
                bytes32(MERCHANT),
                uint64(block.timestamp) + CONFIG_DELAY
            )
        );
        rescue(order);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 100e6, "rescued");
    }

    function test_a_stop_holds_for_the_treasury_too() public {
        vm.warp(announce());
        vm.prank(GUARDIAN);
        hub.stop(2);
        expectRefused(TREASURY, stopped(2));
    }

    function test_a_token_that_is_not_listed_is_not_distributed() public {
        vm.prank(OWNER);
        hub.setToken(address(usdc), false, 6, 0);
        expectRefused(
            RELAYER,
            abi.encodeWithSelector(IHubErrors.TokenNotListed.selector, address(usdc))
        );
    }
}

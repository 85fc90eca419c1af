// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice Merchants, and strangers, who distribute to their own advantage.
contract MerchantsAttack is LiveHub {
    address private forwarder;

    function setUp() public override {
        super.setUp();
        forwarder = hub.forwarderAddress(MERCHANT);
    }

    /// @dev Ten payments of 10,000, each of which would be charged the cap if it were paid out alone.
    function test_nobody_has_ten_caps_charged() public {
        for (uint256 i; i < 10; ++i) {
            usdc.mint(forwarder, 10_000e6);
            vm.expectEmit(address(hub));
            emit IRemitHub.DistributeFailed(
                MERCHANT,
                address(usdc),
                abi.encodeWithSelector(IHubErrors.NotTreasury.selector, THIEF, TREASURY)
            );
            distribute(THIEF, address(usdc), MERCHANT, 1);
            settleAndDistribute(THIEF);
        }
        vm.assertEq(usdc.balanceOf(COLLECTOR), 0, "nothing was distributed");
        distribute(RELAYER, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(COLLECTOR), FEE_CAP, "one distribution, one cap");
    }

    /// @dev A customer's money went to the forwarder by mistake, and a rescue is signed.
    function test_a_merchant_does_not_outrun_a_signed_rescue() public {
        usdc.mint(forwarder, 500e6);
        IRemitHub.ForwarderRescue memory item =
            rescueTo(address(usdc), CUSTOMER, 500e6 - 1);
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        vm.prank(TREASURY);
        hub.announceDistribution(MERCHANT);
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        settleAndDistribute(TREASURY);
        vm.warp(item.refund.deadline);
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        rescue(item);
        vm.assertEq(usdc.balanceOf(CUSTOMER), 500e6 - 1, "rescued");
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "the merchant was not faster");
    }

    function test_an_announcement_waits_a_day_and_serves_once() public {
        usdc.mint(forwarder, 100e6 + 1);
        vm.prank(TREASURY);
        hub.announceDistribution(MERCHANT);
        uint256 ripe = block.timestamp + CONFIG_DELAY;
        vm.warp(ripe - 1);
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributeFailed(
            MERCHANT,
            address(usdc),
            abi.encodeWithSelector(IHubErrors.NotReady.selector, bytes32(MERCHANT), ripe)
        );
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        vm.warp(ripe);
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "without any operator");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "and with the fee");
        usdc.mint(forwarder, 100e6);
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "once");
    }

    function test_an_announcement_is_not_kept_in_store() public {
        usdc.mint(forwarder, 100e6);
        vm.prank(TREASURY);
        hub.announceDistribution(MERCHANT);
        vm.warp(block.timestamp + CONFIG_DELAY + hub.ANNOUNCEMENT_LIFETIME() + 1);
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "stale");
    }

    function test_only_the_treasury_announces() public {
        expectRefused(
            THIEF,
            abi.encodeCall(hub.announceDistribution, (MERCHANT)),
            abi.encodeWithSelector(IHubErrors.NotTreasury.selector, THIEF, TREASURY)
        );
        // A merchant without an entry has the zero address for a treasury.
        expectRefused(
            THIEF,
            abi.encodeCall(hub.announceDistribution, (NEW_MERCHANT)),
            abi.encodeWithSelector(IHubErrors.NotTreasury.selector, THIEF, address(0))
        );
    }

    /// @dev Starved of gas, the collector's leg appears refused. What is owed is out of his reach.
    function test_a_merchant_does_not_cheat_the_collector() public {
        usdc.mint(forwarder, 100e6 + 1);
        vm.prank(TREASURY);
        hub.announceDistribution(MERCHANT);
        vm.warp(block.timestamp + CONFIG_DELAY);
        IRemitHub.Distribution[] memory items = new IRemitHub.Distribution[](1);
        items[0] = IRemitHub.Distribution(MERCHANT, 1);
        vm.prank(TREASURY);
        hub.distribute(address(usdc), items, IRemitHub.Gas(ITEM_GAS, 1, 60_000));
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "his own part");
        vm.assertEq(hub.feeHeld(forwarder, address(usdc)), 1e6, "the fee is held");
        distribute(RELAYER, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "and paid by the next");
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "not by the merchant twice");
    }

    function test_a_former_treasury_distributes_nothing() public {
        vm.prank(TREASURY);
        hub.announceDistribution(MERCHANT);
        configure(entry(MERCHANT, CUSTOMER, 2));
        vm.warp(block.timestamp + CONFIG_DELAY);
        configure(entry(MERCHANT, CUSTOMER, 2));
        usdc.mint(forwarder, 100e6);
        distribute(TREASURY, address(usdc), MERCHANT, 2);
        distribute(TREASURY, address(usdc), MERCHANT, 1);
        vm.assertEq(usdc.balanceOf(forwarder), 100e6, "it waits for an operator");
    }

    function test_a_merchant_s_forwarder_can_not_be_its_treasury() public {
        IRemitHub.MerchantConfig memory config = entry(NEW_MERCHANT, THIEF, 1);
        config.treasury = hub.forwarderAddress(NEW_MERCHANT);
        configure(config);
        config.treasury = address(hub);
        configure(config);
        config.treasury = address(0);
        configure(config);
        vm.assertEq(versionOf(NEW_MERCHANT), 0, "nothing was written");
    }

    function settleAndDistribute(address caller) private {
        IRemitHub.Distribution[] memory items = new IRemitHub.Distribution[](1);
        items[0] = IRemitHub.Distribution(MERCHANT, 1);
        vm.prank(caller);
        hub.settle(address(usdc), new IRemitHub.Authorization[](0), 150_000, items, plenty());
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {BurningToken} from "./doubles/Tokens.sol";
import {HubTest} from "./support/HubTest.sol";

contract DistributeTest is HubTest {
    address private forwarder;

    function setUp() public override {
        super.setUp();
        forwarder = hub.forwarderAddress(MERCHANT);
    }

    function expectRefused(uint32 version, bytes memory reason) private {
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributeFailed(MERCHANT, address(usdc), reason);
        distribute(address(usdc), distributionOf(MERCHANT, version));
    }

    /// @dev The collector refuses its fee of 100 USDC, which the forwarder holds for it.
    function owe() private {
        usdc.mint(forwarder, 100e6 + 1);
        usdc.blacklist(COLLECTOR);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(hub.feeHeld(forwarder, address(usdc)), 1e6, "owed");
    }

    function test_anyone_may_deploy_a_forwarder_any_number_of_times() public {
        vm.expectEmit(address(hub));
        emit IRemitHub.ForwarderDeployed(OTHER_MERCHANT, hub.forwarderAddress(OTHER_MERCHANT));
        vm.prank(STRANGER);
        address deployed = hub.deployForwarder(OTHER_MERCHANT);
        vm.assertEq(deployed, hub.forwarderAddress(OTHER_MERCHANT), "the predicted address");
        vm.recordLogs();
        vm.assertEq(hub.deployForwarder(OTHER_MERCHANT), deployed, "the same again");
        vm.assertEq(vm.getRecordedLogs().length, 0, "without a second event");
    }

    function test_an_operator_distributes() public {
        usdc.mint(forwarder, 100e6 + 1);
        vm.expectEmit(address(hub));
        emit IRemitHub.ForwarderDeployed(MERCHANT, forwarder);
        vm.expectEmit(address(hub));
        emit IRemitHub.Distributed(MERCHANT, address(usdc), TREASURY, 99e6, 1e6);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
        vm.assertEq(usdc.balanceOf(forwarder), 1, "one base unit stays");
    }

    function test_a_token_without_return_values_is_distributed() public {
        usdt.mint(forwarder, 100e6 + 1);
        distribute(address(usdt), distributionOf(MERCHANT, 1));
        vm.assertEq(usdt.balanceOf(TREASURY), 99e6, "treasury");
    }

    function testFuzz_the_fee_is_rounded_down_and_capped(
        uint128 amount,
        uint16 feeBps,
        uint40 feeCap
    ) public {
        amount = uint128(within(amount, 1, type(uint128).max));
        feeBps = uint16(within(feeBps, 0, hub.MAX_FEE_BPS()));
        configure(IRemitHub.MerchantConfig(MERCHANT, TREASURY, feeBps, feeCap, 2), CONFIG_KEY);
        usdc.mint(forwarder, uint256(amount) + 1);
        distribute(address(usdc), distributionOf(MERCHANT, 2));
        uint256 fee = uint256(amount) * feeBps / 10_000;
        if (fee > feeCap) fee = feeCap;
        vm.assertEq(usdc.balanceOf(COLLECTOR), fee, "collector");
        vm.assertEq(usdc.balanceOf(TREASURY), amount - fee, "treasury");
    }

    function test_one_base_unit_or_less_is_nothing_to_distribute() public {
        expectRefused(1, abi.encodeWithSelector(IHubErrors.NothingToDistribute.selector, 0));
        usdc.mint(forwarder, 1);
        expectRefused(1, abi.encodeWithSelector(IHubErrors.NothingToDistribute.selector, 1));
        vm.assertEq(forwarder.code.length, 0, "a refused distribution deploys nothing");
        usdc.mint(forwarder, 1);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(TREASURY), 1, "of two units one is distributed");
    }

    function testFuzz_the_registry_version_must_be_the_one_named(uint32 version) public {
        vm.assume(version != 1);
        usdc.mint(forwarder, 1e6);
        expectRefused(
            version,
            abi.encodeWithSelector(IHubErrors.RegistryVersionMismatch.selector, version, 1)
        );
    }

    function test_a_merchant_without_an_entry_is_not_paid() public {
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributeFailed(
            OTHER_MERCHANT,
            address(usdc),
            abi.encodeWithSelector(IHubErrors.MerchantNotConfigured.selector, OTHER_MERCHANT)
        );
        distribute(address(usdc), distributionOf(OTHER_MERCHANT, 0));
    }

    function test_a_blacklisted_treasury_is_freed_by_the_next_version() public {
        usdc.mint(forwarder, 100e6 + 1);
        usdc.blacklist(TREASURY);
        expectRefused(1, words("Blacklistable: account is blacklisted"));
        configure(MERCHANT, RECIPIENT, 2);
        distribute(address(usdc), distributionOf(MERCHANT, 2));
        vm.assertEq(usdc.balanceOf(RECIPIENT), 99e6, "recipient");
    }

    function test_a_blacklisted_collector_does_not_hold_up_the_merchant() public {
        usdc.mint(forwarder, 100e6 + 1);
        usdc.blacklist(COLLECTOR);
        vm.expectEmit(address(hub));
        emit IRemitHub.FeeOwed(forwarder, address(usdc), 1e6);
        vm.expectEmit(address(hub));
        emit IRemitHub.Distributed(MERCHANT, address(usdc), TREASURY, 99e6, 0);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(hub.feeHeld(forwarder, address(usdc)), 1e6, "held");
        expectRefused(
            1, abi.encodeWithSelector(IHubErrors.NothingToDistribute.selector, 1e6 + 1)
        );
    }

    function test_fees_held_are_charged_with_the_next_distribution_and_never_split() public {
        usdc.mint(forwarder, 100e6 + 1);
        usdc.blacklist(COLLECTOR);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        usdc.mint(forwarder, 100e6);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(hub.feeHeld(forwarder, address(usdc)), 2e6, "both fees are held");
        usdc.unBlacklist(COLLECTOR);
        usdc.mint(forwarder, 100e6);
        vm.expectEmit(address(hub));
        emit IRemitHub.Distributed(MERCHANT, address(usdc), TREASURY, 99e6, 3e6);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(COLLECTOR), 3e6, "collector");
        vm.assertEq(usdc.balanceOf(TREASURY), 3 * 99e6, "treasury");
        vm.assertEq(usdc.balanceOf(forwarder), 1, "one base unit stays");
        vm.assertEq(hub.feeHeld(forwarder, address(usdc)), 0, "nothing is held");
    }

    function test_a_fee_held_can_be_collected_alone() public {
        usdc.mint(forwarder, 100e6 + 1);
        usdc.blacklist(COLLECTOR);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        usdc.unBlacklist(COLLECTOR);
        vm.expectEmit(address(hub));
        emit IRemitHub.Distributed(MERCHANT, address(usdc), TREASURY, 0, 1e6);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
    }

    /// @dev After any rescue the merchant pays its rate on later payments and no more.
    function testFuzz_a_rescued_fee_is_not_charged_again(uint256 rescued) public {
        rescued = within(rescued, 1, 1e6 + 1);
        usdc.mint(forwarder, 100e6 + 1);
        usdc.blacklist(COLLECTOR);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        rescue(rescueOf(1, address(usdc), RECIPIENT, rescued));
        usdc.unBlacklist(COLLECTOR);
        uint256 held = hub.feeHeld(forwarder, address(usdc));
        vm.assertEq(held, rescued > 1e6 ? 0 : 1e6 - rescued, "what the rescue left");
        usdc.mint(forwarder, 100e6);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        // An emptied forwarder keeps the first unit of the new payment.
        uint256 fresh = rescued > 1e6 ? 100e6 - 1 : 100e6;
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6 + fresh - fresh / 100, "treasury");
        vm.assertEq(usdc.balanceOf(COLLECTOR), held + fresh / 100, "collector");
    }

    function test_a_rescue_of_other_money_leaves_what_is_owed() public {
        owe();
        usdc.mint(forwarder, 50e6);
        rescue(rescueOf(1, address(usdc), RECIPIENT, 10e6));
        vm.assertEq(hub.feeHeld(forwarder, address(usdc)), 1e6, "the fee is still owed");
        rescue(rescueOf(2, address(usdc), RECIPIENT, 40e6 + 1));
        vm.assertEq(hub.feeHeld(forwarder, address(usdc)), 1e6 - 1, "but never the last unit");
    }

    /// @dev A token that takes balances away may leave less than is owed.
    function test_less_than_what_is_owed_is_nothing_to_distribute() public {
        owe();
        uint256 slotOfBalances = 7;
        vm.store(
            address(usdc), keccak256(abi.encode(forwarder, slotOfBalances)), bytes32(uint256(1e6))
        );
        vm.assertEq(usdc.balanceOf(forwarder), 1e6, "what is left");
        usdc.unBlacklist(COLLECTOR);
        expectRefused(1, abi.encodeWithSelector(IHubErrors.NothingToDistribute.selector, 1e6));
    }

    function test_a_fee_held_of_one_token_does_not_touch_another() public {
        BurningToken token = new BurningToken(COLLECTOR);
        list(address(token));
        token.mint(forwarder, 100e6 + 1);
        distribute(address(token), distributionOf(MERCHANT, 1));
        vm.assertEq(token.balanceOf(TREASURY), 99e6, "paid although the fee burnt gas");
        usdc.mint(forwarder, 100e6 + 1);
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "collector");
    }

    function test_a_bad_item_leaves_the_others_alone() public {
        configure(OTHER_MERCHANT, RECIPIENT, 1);
        usdc.mint(forwarder, 100e6 + 1);
        usdc.mint(hub.forwarderAddress(OTHER_MERCHANT), 100e6 + 1);
        IRemitHub.Distribution[] memory items = new IRemitHub.Distribution[](3);
        items[0] = IRemitHub.Distribution(MERCHANT, 2);
        items[1] = IRemitHub.Distribution(OTHER_MERCHANT, 1);
        items[2] = IRemitHub.Distribution(OTHER_MERCHANT, 1);
        distribute(address(usdc), items);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 99e6, "paid once");
        vm.assertEq(usdc.balanceOf(forwarder), 100e6 + 1, "untouched");
    }

    function test_single_items_are_the_hubs_own_affair() public {
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.NotHub.selector, address(this), address(hub))
        );
        hub.distributeItem(
            address(usdc), IRemitHub.Distribution(MERCHANT, 1), address(0), 100_000, 60_000
        );
    }
}

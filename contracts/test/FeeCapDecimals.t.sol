// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {TestUSDT} from "./stand-ins/TestUSDT.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice A merchant's cap is in millionths of a whole token, and there are tokens of 0 to 36
///         decimals.
contract FeeCapDecimalsTest is HubTest {
    function distributed(uint8 decimals, uint40 feeCap, uint256 amount)
        private
        returns (uint256 fee)
    {
        TestUSDT token = new TestUSDT();
        vm.prank(OWNER);
        hub.setToken(address(token), true, decimals, 0);
        IRemitHub.MerchantConfig memory config =
            entry(MERCHANT, TREASURY, versionOf(MERCHANT) + 1);
        config.feeCap = feeCap;
        configure(config, CONFIG_KEY);
        address forwarder = hub.forwarderAddress(MERCHANT);
        vm.store(address(token), keccak256(abi.encode(forwarder, 2)), bytes32(amount + 1));
        vm.assertEq(token.balanceOf(forwarder), amount + 1, "held");
        distribute(address(token), distributionOf(MERCHANT, config.version));
        fee = token.balanceOf(COLLECTOR);
        vm.assertEq(token.balanceOf(TREASURY), amount - fee, "treasury");
    }

    function test_a_cap_of_two_and_a_half_tokens() public {
        uint40 cap = 2_500_000;
        vm.assertEq(distributed(0, cap, 1_000_000), 2, "0 decimals, rounded down");
        vm.assertEq(distributed(2, cap, 1_000_000_00), 250, "2 decimals");
        vm.assertEq(distributed(6, cap, 1_000_000e6), 2.5e6, "6 decimals");
        vm.assertEq(distributed(18, cap, 1_000_000e18), 2.5e18, "18 decimals");
        vm.assertEq(distributed(36, cap, 1_000_000e36), 2.5e36, "36 decimals");
    }

    function test_less_than_the_cap_is_the_rate() public {
        uint40 cap = 2_500_000;
        vm.assertEq(distributed(0, cap, 199), 1, "0 decimals, rounded down");
        vm.assertEq(distributed(6, cap, 199e6), 1.99e6, "6 decimals");
        vm.assertEq(distributed(18, cap, 199e18), 1.99e18, "18 decimals");
    }

    function test_a_cap_below_the_smallest_unit_charges_nothing() public {
        vm.assertEq(distributed(0, 999_999, 1_000_000), 0, "0 decimals");
        vm.assertEq(distributed(5, 9, 1_000_000e5), 0, "5 decimals");
        vm.assertEq(distributed(18, 0, 1_000_000e18), 0, "no cap, no fee");
    }

    function testFuzz_no_decimals_and_no_cap_stop_a_distribution(
        uint8 decimals,
        uint40 feeCap,
        uint128 amount
    ) public {
        decimals = uint8(within(decimals, 0, 36));
        amount = uint128(within(amount, 1, type(uint128).max));
        uint256 fee = distributed(decimals, feeCap, amount);
        vm.assertLe(fee * 100, amount, "the rate");
        // In millionths of a base unit, so that nothing is rounded.
        vm.assertLe(fee * 1e6, uint256(feeCap) * 10 ** decimals, "the cap");
        if (fee < amount / 100) {
            vm.assertLt(uint256(feeCap) * 10 ** decimals, (fee + 1) * 1e6, "no less than the cap");
        }
    }
}

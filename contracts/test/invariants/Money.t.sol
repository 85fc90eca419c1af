// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MoneyBusiness} from "../business/money/MoneyBusiness.sol";
import {Test} from "../support/Test.sol";

/// @notice Invariants of all money under all operations of a hub. The checks of single operations
///         are with the operations.
contract MoneyInvariants is Test {
    MoneyBusiness private business;

    function setUp() public {
        business = new MoneyBusiness();
        targetOnly(address(business), business.actions());
    }

    /// @dev One function, because Forge runs a campaign for each.
    function invariant_nobody_holds_what_is_not_his() public view {
        business.checkNobodyElseHolds();
    }

    /// @dev At the end of every run.
    function afterInvariant() public view {
        business.checkAll();
    }

    /// @dev Invariants of a business in which nothing succeeds would be worth nothing.
    function test_business_is_done() public {
        for (uint256 i; i < 60; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            business.payDeposit(seed, seed >> 16);
            business.payNative(seed, seed >> 16);
            business.settlePayments(seed, seed >> 16);
            business.settleUpto(seed, seed >> 16, seed >> 32);
            business.settleExact(seed, seed >> 16);
            business.sweepWhole(seed);
            business.sweepAny(seed, seed >> 32, seed >> 48, seed >> 64);
            business.distributeOne(seed);
            business.payDeposit(seed, seed >> 16);
            business.refundSome(seed >> 1, seed >> 64, seed >> 80);
            business.rescueSome(seed >> 1, seed >> 64);
            business.toggleBlacklist(seed);
            business.replaceKey(seed);
        }
        vm.assertTrue(business.sweeps() > 20, "sweeps");
        vm.assertTrue(business.settlements() > 50, "settlements");
        vm.assertTrue(business.distributions() > 20, "distributions");
        vm.assertTrue(business.permits() > 50, "permits");
        vm.assertTrue(business.refunds() > 10, "refunds");
        vm.assertTrue(business.rescues() > 10, "rescues");
        business.checkNobodyElseHolds();
        business.checkAll();
    }
}

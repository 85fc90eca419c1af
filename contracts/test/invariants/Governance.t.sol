// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GovernedBusiness} from "../business/governed/GovernedBusiness.sol";
import {Test} from "../support/Test.sol";

/// @notice Invariants of powers, delays and limits under all acts of their holders and of thieves.
///         The checks of single acts are with the acts.
contract GovernanceInvariants is Test {
    GovernedBusiness private business;

    function setUp() public {
        business = new GovernedBusiness();
        targetOnly(address(business), business.actions());
    }

    /// @dev One function, because Forge runs a campaign for each.
    function invariant_nothing_is_in_force_before_its_time() public view {
        business.check();
    }

    /// @dev At the end of every run.
    function afterInvariant() public view {
        business.checkAll();
    }

    /// @dev Invariants of a business in which nothing succeeds would be worth nothing.
    function test_business_is_done() public {
        for (uint256 i; i < 260; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            business.payDeposit(seed, seed >> 16);
            business.sweepWhole(seed >> 2);
            business.refundSome(seed, seed >> 32, 0);
            business.rescueSome(seed >> 1, seed >> 64);
            business.refundApproved(seed >> 3, seed >> 32);
            business.settlePayments(seed, seed >> 16);
            if (seed & 3 == 0) business.distributeOne(seed >> 2);
            business.signEntry(seed);
            if (seed & 12 == 0) business.vetoChange(seed);
            business.submitWhenReady(seed >> 1);
            business.announce(seed);
            business.wait(seed, seed >> 32);
            business.distributeAsTreasury(seed);
            business.propose(seed);
            business.executeWhenReady(seed);
            if (seed & 7 == 1) business.vetoProposed(seed);
            business.vetoAllProposed(seed >> 96);
            business.acceptOwnership();
            business.check();
        }
        vm.assertTrue(business.sweeps() > 10, "sweeps");
        vm.assertTrue(business.limited() > 10, "refunds within the limit");
        vm.assertTrue(business.approvals() > 10, "approved refunds");
        vm.assertTrue(business.changes() > 10, "changes of treasuries");
        vm.assertTrue(business.vetoes() > 5, "vetoes of changes");
        vm.assertTrue(business.ownDistributions() > 5, "distributions by treasuries");
        vm.assertTrue(business.executions() > 20, "executions");
        vm.assertTrue(business.proposalVetoes() > 5, "vetoes of proposals");
        vm.assertTrue(business.vetoesOfAll() > 2, "vetoes of all proposals");
        business.checkAll();
    }
}

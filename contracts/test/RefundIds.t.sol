// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice Each id is spent on its own, though 256 of them share a slot.
contract RefundIdsTest is HubTest {
    function setUp() public override {
        super.setUp();
        usdc.mint(hub.depositAddress(MERCHANT, INVOICE, address(0), MAX_FEE), 1e12);
    }

    function testFuzz_one_id_is_spent_and_no_other(uint256 id, uint256 other) public {
        vm.assume(id != other);
        refund(refundOf(id, address(usdc), RECIPIENT, 1));
        vm.assertTrue(hub.isRefundSpent(id), "spent");
        vm.assertFalse(hub.isRefundSpent(other), "the other is not");
        refund(refundOf(other, address(usdc), RECIPIENT, 1));
        vm.assertTrue(hub.isRefundSpent(id) && hub.isRefundSpent(other), "both");
        expectRefundRefused(
            refundOf(id, address(usdc), RECIPIENT, 1),
            abi.encodeWithSelector(IHubErrors.RefundSpent.selector, id)
        );
        vm.assertEq(usdc.balanceOf(RECIPIENT), 2, "each once");
    }

    function test_neighbours_share_nothing_but_their_slot() public {
        for (uint256 id = 250; id < 262; id += 2) {
            refund(refundOf(id, address(usdc), RECIPIENT, 1));
        }
        for (uint256 id = 249; id < 263; ++id) {
            bool isPaid = id % 2 == 0 && id >= 250 && id < 262;
            vm.assertTrue(hub.isRefundSpent(id) == isPaid, "spent if it was paid");
        }
        IRemitHub.DepositRefund memory order = refundOf(251, address(usdc), RECIPIENT, 1);
        refund(order);
        vm.assertTrue(hub.isRefundSpent(251), "still possible");
    }
}

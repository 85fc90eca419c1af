// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {Stops} from "../Stops.sol";

/// @notice Refunds move at most the limit of their token in any 24 hours, besides those that the
///         owner has approved.
abstract contract Limits is Stops {
    struct Paid {
        uint256 at;
        uint256 amount;
    }

    mapping(address token => uint256) internal limits;
    uint256 public limited;
    uint256 public approvals;

    mapping(address token => Paid[]) private _paid;
    mapping(uint256 refundId => bool) private _approved;

    /// @dev Time passes, from seconds to more than a guardian's replacement waits.
    function wait(uint256 seed, uint256 time) external {
        uint256[5] memory most = [uint256(1 hours), 8 hours, 1 days, 3 days, 15 days];
        vm.warp(block.timestamp + within(time, 0, most[seed % 5]));
    }

    /// @dev More than a stolen key could take; two keys are behind it. One order is approved.
    function refundApproved(uint256 seed, uint256 amount) external {
        IRemitHub.DepositRefund memory item = anyRefund(seed);
        uint256 held = balance(item.refund.token, item.refund.source);
        item.refund.amount = within(amount, held / 2 + 1, held + 1);
        item.signature = signed(item.refund, roles.refundKey);
        bytes memory call = abi.encodeCall(hub.approveRefund, (digestOf(item.refund)));
        vm.assertFalse(tryAs(STRANGER, call), "not a stranger");
        vm.assertFalse(tryAs(roles.guardian, call), "not the guardian");
        vm.assertTrue(tryAs(roles.owner, call), "the owner");
        item.refund.amount += 1;
        item.signature = signed(item.refund, roles.refundKey);
        if (seed >> 140 & 1 == 0) refundChecked(item);
        item.refund.amount -= 1;
        item.signature = signed(item.refund, roles.refundKey);
        if (hub.isRefundSpent(item.refund.refundId)) return;
        _approved[item.refund.refundId] = true;
        uint256 before = refunds;
        refundChecked(item);
        approvals += refunds - before;
    }

    /// @dev The window is the 24 hours that end now, this refund included.
    function noteRefund(IRemitHub.Refund memory order) internal override {
        if (_approved[order.refundId]) return;
        Paid[] storage paid = _paid[order.token];
        paid.push(Paid(block.timestamp, order.amount));
        uint256 sum;
        for (uint256 i = paid.length; i > 0; --i) {
            if (paid[i - 1].at + 24 hours <= block.timestamp) break;
            sum += paid[i - 1].amount;
        }
        uint256 limit = limits[order.token];
        vm.assertLe(sum, limit, "no more than the limit in 24 hours");
        vm.assertLe(sum + hub.refundRoom(order.token), limit, "nor any room for more");
        ++limited;
    }
}

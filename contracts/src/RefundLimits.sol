// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HubAccess} from "./HubAccess.sol";

/// @title RefundLimits
/// @notice How much refunds may pay, per token and rolling day: what a stolen refund key can take.
/// @dev    Amounts are booked per period of eight hours. Any 24 hours lie within four periods in a
///         row, and the sum of four in a row never exceeds the limit.
abstract contract RefundLimits is HubAccess {
    uint256 private constant PERIOD = 8 hours;
    uint256 private constant UNLIMITED = type(uint232).max;

    /// @notice Orders, by EIP-712 digest, that the owner has approved.
    mapping(bytes32 digest => bool) public isRefundApproved;

    mapping(address token => mapping(uint256 period => uint256)) private _booked;

    /// @notice Lets this very order be paid even if there is no room for it; it needs its signature
    ///         all the same, so two keys are behind it.
    /// @param digest The order's EIP-712 digest, as the refund signer signs it.
    function approveRefund(bytes32 digest) external onlyOwner {
        isRefundApproved[digest] = true;
        emit RefundApproved(digest);
    }

    /// @notice What may be refunded now, in base units; type(uint256).max if there is no limit.
    function refundRoom(address token) external view returns (uint256) {
        uint256 limit = tokens[token].refundLimit;
        if (limit == UNLIMITED) return type(uint256).max;
        (uint256 used,) = _used(_booked[token], block.timestamp / PERIOD);
        return used < limit ? limit - used : 0;
    }

    /// @dev Counts a refund, unless its token has no limit. One that finds no room is paid only if
    ///      the owner has approved it, and is not counted then.
    function _book(Refund calldata order, bytes32 digest) internal {
        uint256 limit = tokens[order.token].refundLimit;
        if (limit == UNLIMITED) return;
        mapping(uint256 => uint256) storage booked = _booked[order.token];
        uint256 period = block.timestamp / PERIOD;
        (uint256 used, uint256 current) = _used(booked, period);
        uint256 room = used < limit ? limit - used : 0;
        if (order.amount <= room) {
            unchecked {
                booked[period] = current + order.amount; // At most the limit.
            }
        } else if (!isRefundApproved[digest]) {
            revert RefundLimitReached(order.amount, room);
        }
    }

    /// @dev The sum of a period and the three before it, and the period's own. No sum overflows:
    ///      each is at most a limit, of 232 bits.
    function _used(mapping(uint256 => uint256) storage booked, uint256 period)
        private
        view
        returns (uint256 used, uint256 current)
    {
        unchecked {
            current = booked[period];
            used = current + booked[period - 1] + booked[period - 2] + booked[period - 3];
        }
    }
}

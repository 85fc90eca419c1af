// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {Hostile} from "./Hostile.sol";

/// @notice What interrupts business besides stops: lists, blacklists, pauses, and another chain.
abstract contract Disruptions is Hostile {
    address private _unlisted = address(1);

    /// @dev One of the good tokens is off the list for a while.
    function toggleListing(uint256 seed) external {
        bool lists = _unlisted != address(1);
        if (!lists && seed & 1 == 0) return;
        address token = lists ? _unlisted : goodToken(seed);
        vm.assertTrue(
            tryAs(roles.owner, abi.encodeCall(hub.setToken, (token, lists, 6, UNLIMITED))), "listed"
        );
        _unlisted = lists ? address(1) : token;
    }

    /// @dev The collector is on a blacklist: its fees are owed.
    function toggleBlacklist(uint256 seed) external {
        if (usdc.isBlacklisted(roles.collector)) usdc.unBlacklist(roles.collector);
        else if (seed & 1 == 0) usdc.blacklist(roles.collector);
    }

    /// @dev While it is paused, or the receiver or the deposit is on a blacklist, nothing moves.
    function sweepHeldUp(uint256 seed) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        item.token = address(usdc);
        address deposit = depositOf(item);
        item.amount = usdc.balanceOf(deposit);
        uint256 kind = (seed >> 120) % 3;
        address listed = kind == 0 ? deposit : receiverOf(item);
        if (kind == 2) usdc.pause();
        else usdc.blacklist(listed);
        bytes32 before = fingerprint();
        bool wasDeployed = deposit.code.length != 0;
        sweepAs(roles.operator, batch(item));
        if (kind == 2) {
            distributeChecked(roles.operator, address(usdc), seed % MERCHANTS, item.version);
        }
        vm.assertEq(fingerprint(), before, "nothing moves");
        vm.assertTrue(wasDeployed == (deposit.code.length != 0), "nothing is deployed");
        if (kind == 2) usdc.unpause();
        else usdc.unBlacklist(listed);
    }

    /// @dev The same keys serve several chains; what is signed on one of them has no effect on
    ///      another, save registry entries.
    function changeChain(uint256 seed) external {
        vm.chainId(1 + seed % 3);
    }

    function isListed(address token) internal view override returns (bool) {
        return token != _unlisted;
    }

    /// @dev Refunds are not limited here.
    function noteRefund(IRemitHub.Refund memory order) internal view override {
        uint232 limit;
        (,, limit) = hub.tokens(order.token);
        vm.assertEq(limit, UNLIMITED, "no limit");
    }
}

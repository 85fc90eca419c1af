// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {Signing} from "../support/Signing.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice A merchant begins on one more chain. What was signed before is public, and a stranger carries the
///         oldest entry there first, whose treasury was replaced because its key was stolen.
contract NewChainsAttack is LiveHub {
    address private constant FORMER = address(0xF04);

    function setUp() public override {
        super.setUp();
        IRemitHub.MerchantConfig memory old = entry(NEW_MERCHANT, FORMER, 1);
        bytes memory signature = packed(CONFIG_KEY, Signing.config(old, address(hub)));
        vm.chainId(42161);
        vm.prank(THIEF);
        configure(old, signature);
        vm.prank(FORMER);
        hub.announceDistribution(NEW_MERCHANT);
        vm.warp(block.timestamp + CONFIG_DELAY);
    }

    /// @dev After the newest entry nothing leaves until it is active, though an announcement is ripe.
    function test_the_former_treasury_gets_nothing_after_the_newest_entry() public {
        configure(entry(NEW_MERCHANT, TREASURY, 2));
        usdc.mint(hub.forwarderAddress(NEW_MERCHANT), 1_000e6 + 1);
        bytes memory pends = abi.encodeWithSelector(
            IHubErrors.MerchantChangePends.selector,
            NEW_MERCHANT,
            uint64(block.timestamp + CONFIG_DELAY)
        );
        vm.expectEmit(address(hub));
        emit IRemitHub.DistributeFailed(NEW_MERCHANT, address(usdc), pends);
        distribute(FORMER, address(usdc), NEW_MERCHANT, 1);
        vm.warp(block.timestamp + CONFIG_DELAY);
        distribute(FORMER, address(usdc), NEW_MERCHANT, 1);
        configure(entry(NEW_MERCHANT, TREASURY, 2));
        distribute(FORMER, address(usdc), NEW_MERCHANT, 2);
        distribute(RELAYER, address(usdc), NEW_MERCHANT, 2);
        vm.assertEq(usdc.balanceOf(FORMER), 0, "nothing for the former treasury");
        vm.assertEq(usdc.balanceOf(TREASURY), 990e6, "all for the merchant's own, a day later");
    }

    /// @dev A relayer names the version that it knows, so that invoices are not paid to a former treasury.
    function test_invoices_are_not_paid_by_an_old_entry() public {
        IRemitHub.Sweep memory item = sweepOf(INVOICE, address(usdc), 100e6, 0);
        (item.merchantId, item.version) = (NEW_MERCHANT, 2);
        usdc.mint(depositOf(item), 100e6);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.RegistryVersionMismatch.selector, 2, 1)
        );
    }
}

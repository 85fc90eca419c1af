// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {Signing} from "../support/Signing.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The thief has the configuration signer's key: he names himself every merchant's treasury.
contract ConfigKeyAttack is LiveHub {

    function setUp() public override {
        super.setUp();
        usdc.mint(hub.forwarderAddress(MERCHANT), 1_000e6 + 1);
        usdc.mint(depositOf(INVOICE), 100e6);
    }

    function test_nothing_moves_within_the_delay() public {
        uint256 start = block.timestamp;
        configure(entry(MERCHANT, THIEF, 2));
        vm.warp(start + CONFIG_DELAY - 1);
        configure(entry(MERCHANT, THIEF, 2));
        payOutWithEveryVersion();
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "still the merchant's");
        vm.assertEq(usdc.balanceOf(THIEF), 0, "nothing for the thief");
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "what pays by the registry waits");
    }

    function test_the_delay_is_what_there_is_to_react() public {
        uint256 start = block.timestamp;
        configure(entry(MERCHANT, THIEF, 2));
        vm.warp(start + CONFIG_DELAY);
        configure(entry(MERCHANT, THIEF, 2));
        payOutWithEveryVersion();
        vm.assertTrue(usdc.balanceOf(THIEF) > 1_000e6, "undefended for a day");
    }

    function test_nothing_ever_moves_after_a_veto() public {
        configure(entry(MERCHANT, THIEF, 2));
        vm.prank(GUARDIAN);
        hub.veto(MERCHANT);
        for (uint256 day = 1; day < 40; ++day) {
            vm.warp(block.timestamp + 1 days);
            configure(entry(MERCHANT, THIEF, 2));
            distribute(RELAYER, address(usdc), MERCHANT, 2);
        }
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "still the merchant's");
        payOutWithEveryVersion();
        vm.assertEq(usdc.balanceOf(THIEF), 0, "nothing for the thief");
        vm.assertTrue(usdc.balanceOf(TREASURY) > 1_000e6, "the merchant is paid at once");
    }

    function test_every_further_try_begins_the_wait_again() public {
        for (uint32 version = 2; version < 20; ++version) {
            configure(entry(MERCHANT, THIEF, version));
            vm.warp(block.timestamp + CONFIG_DELAY - 1);
            configure(entry(MERCHANT, THIEF, version));
            vm.prank(GUARDIAN);
            hub.veto(MERCHANT);
        }
        payOutWithEveryVersion();
        vm.assertEq(usdc.balanceOf(THIEF), 0, "nothing for the thief");
    }

    /// @dev A change that waited for long does not lend its time to another.
    function test_a_change_can_not_wait_for_another() public {
        configure(entry(MERCHANT, address(0xABC), 2));
        vm.warp(block.timestamp + CONFIG_DELAY);
        configure(entry(MERCHANT, THIEF, 3));
        IRemitHub.MerchantConfig memory sameVersion = entry(MERCHANT, THIEF, 2);
        configure(sameVersion);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "still the merchant's");
        vm.warp(block.timestamp + CONFIG_DELAY - 1);
        configure(entry(MERCHANT, THIEF, 3));
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "the second waits from its own beginning");
    }

    function test_the_owner_ends_it_at_once_and_what_is_pending_stays_so() public {
        configure(entry(MERCHANT, THIEF, 2));
        vm.prank(OWNER);
        hub.setConfigSigner(address(0));
        vm.warp(block.timestamp + CONFIG_DELAY);
        configure(entry(MERCHANT, THIEF, 2));
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "a retired key writes nothing");
    }

    function test_a_stop_of_the_registry_ends_it_too() public {
        configure(entry(MERCHANT, THIEF, 2));
        vm.prank(GUARDIAN);
        hub.stop(8);
        vm.warp(block.timestamp + CONFIG_DELAY);
        vm.expectEmit(address(hub));
        emit IRemitHub.ConfigureFailed(
            MERCHANT, 2, abi.encodeWithSelector(IHubErrors.IsStopped.selector, 8)
        );
        configure(entry(MERCHANT, THIEF, 2));
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "still the merchant's");
    }

    function test_the_last_version_is_refused() public {
        vm.expectEmit(address(hub));
        emit IRemitHub.ConfigureFailed(
            MERCHANT,
            type(uint32).max,
            abi.encodeWithSelector(
                IHubErrors.VersionTooFarAhead.selector, type(uint32).max, uint32(1)
            )
        );
        configure(entry(MERCHANT, THIEF, type(uint32).max));
        configure(entry(MERCHANT, TREASURY, type(uint32).max));
        configure(entry(MERCHANT, TREASURY, 1_002));
        vm.assertEq(versionOf(MERCHANT), 1, "nothing was written");
        configure(entry(MERCHANT, TREASURY, 1_001));
        vm.assertEq(versionOf(MERCHANT), 1_001, "a thousand ahead is the most");
    }

    /// @dev Burnt versions and pending changes don't block the owner's entry.
    function testFuzz_the_owner_can_always_write_again(uint32[8] memory versions, uint8 vetoed)
        public
    {
        for (uint256 i; i < versions.length; ++i) {
            address treasury = versions[i] & 1 == 0 ? THIEF : TREASURY;
            configure(entry(MERCHANT, treasury, uint32(within(versions[i], 1, 4_000))));
            (,,,, uint64 readyAt) = hub.pendingChanges(MERCHANT);
            if (vetoed >> i & 1 == 0 || readyAt == 0) continue;
            vm.prank(GUARDIAN);
            hub.veto(MERCHANT);
        }
        (,,, uint32 burnt,) = hub.pendingChanges(MERCHANT);
        uint32 newest = burnt > versionOf(MERCHANT) ? burnt : versionOf(MERCHANT);
        bytes memory call =
            abi.encodeCall(hub.setMerchant, (entry(MERCHANT, CUSTOMER, newest + 1)));
        proposeAndWait(call);
        asOwner(call);
        vm.assertEq(treasuryOf(MERCHANT), CUSTOMER, "as the owner wrote");
        distribute(RELAYER, address(usdc), MERCHANT, newest + 1);
        vm.assertTrue(usdc.balanceOf(CUSTOMER) >= 950e6, "and it pays again");
    }

    /// @dev What it does take at once: fees, to the collector and within the highest rate.
    function test_it_can_raise_fees_to_the_highest_rate_only() public {
        IRemitHub.MerchantConfig memory config = entry(MERCHANT, TREASURY, 2);
        (config.feeBps, config.feeCap) = (1_001, type(uint40).max);
        configure(config);
        vm.assertEq(versionOf(MERCHANT), 1, "above the highest rate");
        config.feeBps = 1_000;
        configure(config);
        distribute(RELAYER, address(usdc), MERCHANT, 2);
        vm.assertEq(usdc.balanceOf(COLLECTOR), 100e6, "a tenth, and not to the thief");
        vm.assertEq(usdc.balanceOf(TREASURY), 900e6, "the rest is the merchant's");
    }

    function test_an_old_signature_of_another_chain_waits_like_any_other() public {
        IRemitHub.MerchantConfig memory old = entry(MERCHANT, CUSTOMER, 2);
        bytes memory signature = packed(CONFIG_KEY, Signing.config(old, address(hub)));
        vm.chainId(8453);
        vm.prank(THIEF);
        configure(old, signature);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "still the merchant's");
    }

    function test_deposits_that_name_their_own_recipient_are_out_of_reach() public {
        IRemitHub.Sweep memory item = sweepOf(INVOICE, address(usdc), 100e6, 0);
        item.recipient = CUSTOMER;
        usdc.mint(depositOf(item), 100e6);
        configure(entry(MERCHANT, THIEF, 2));
        sweepAsItIs(item);
        vm.assertEq(usdc.balanceOf(CUSTOMER), 100e6, "paid while a change pends");
    }

    /// @dev Every way in which the registry pays, with the versions that anyone might name.
    function payOutWithEveryVersion() private {
        for (uint32 version = 1; version < 4; ++version) {
            distribute(RELAYER, address(usdc), MERCHANT, version);
            IRemitHub.Sweep memory item = sweepOf(INVOICE, address(usdc), 100e6, 0);
            item.version = version;
            sweepAsItIs(item);
        }
    }
}

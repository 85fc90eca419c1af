// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice What a configuration key can do to a merchant who has an entry.
contract PendingChangeTest is HubTest {
    address private forwarder;

    function setUp() public override {
        super.setUp();
        forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(forwarder, 100e6 + 1);
        harden();
    }

    function expectPending(uint32 version, address treasury, uint64 ripe) private {
        vm.expectEmit(address(hub));
        emit IRemitHub.MerchantChangePending(
            MERCHANT, treasury, FEE_BPS, FEE_CAP, version, ripe
        );
    }

    function expectStale(IRemitHub.MerchantConfig memory config, uint32 newest) private {
        expectConfigureRefused(
            config,
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.StaleVersion.selector, config.version, newest)
        );
    }

    function pendingVersion() private view returns (uint32 version, uint64 ripe) {
        (,,, version, ripe) = hub.pendingChanges(MERCHANT);
    }

    function inForce() private view returns (uint64) {
        return uint64(block.timestamp) + CONFIG_DELAY;
    }

    function test_another_treasury_waits_and_is_in_force_when_it_is_submitted_again() public {
        uint64 ripe = inForce();
        expectPending(2, STRANGER, ripe);
        configure(MERCHANT, STRANGER, 2);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "not yet");
        vm.assertTrue(isChanging(MERCHANT), "changing");
        vm.warp(ripe - 1);
        expectPending(2, STRANGER, ripe);
        configure(MERCHANT, STRANGER, 2);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "a repetition changes nothing");
        vm.warp(ripe);
        vm.assertTrue(isChanging(MERCHANT), "nor does time alone");
        vm.expectEmit(address(hub));
        emit IRemitHub.MerchantConfigured(MERCHANT, STRANGER, FEE_BPS, FEE_CAP, 2);
        configure(MERCHANT, STRANGER, 2);
        vm.assertEq(treasuryOf(MERCHANT), STRANGER, "active");
        vm.assertFalse(isChanging(MERCHANT), "changed");
        (uint32 version, uint64 left) = pendingVersion();
        vm.assertTrue(version == 0 && left == 0, "nothing pends");
    }

    function test_while_a_change_pends_the_registry_pays_nobody() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 10e6, 0);
        usdc.mint(depositOf(item), 20e6);
        configure(MERCHANT, STRANGER, 2);
        bytes memory waits =
            abi.encodeWithSelector(IHubErrors.MerchantChangePends.selector, MERCHANT, inForce());
        for (uint32 version = 1; version < 3; ++version) {
            vm.expectEmit(address(hub));
            emit IRemitHub.DistributeFailed(MERCHANT, address(usdc), waits);
            distribute(address(usdc), distributionOf(MERCHANT, version));
            item.version = version;
            expectSweepRefused(item, waits);
        }
        IRemitHub.Sweep memory own = sweepOf(address(usdc), 10e6, 0);
        own.recipient = RECIPIENT;
        usdc.mint(depositOf(own), 10e6);
        sweep(own);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 10e6, "an invoice's own recipient is paid");
        vm.assertEq(usdc.balanceOf(forwarder), 100e6 + 1, "the rest is untouched");
    }

    function test_both_guards_veto_and_the_version_is_burnt() public {
        address[2] memory guards = [OWNER, GUARDIAN];
        for (uint32 version = 2; version < 4; ++version) {
            configure(MERCHANT, STRANGER, version);
            vm.expectEmit(address(hub));
            emit IRemitHub.MerchantChangeVetoed(MERCHANT, version);
            vm.prank(guards[version - 2]);
            hub.veto(MERCHANT);
            vm.assertFalse(isChanging(MERCHANT), "not changing");
            expectStale(entry(MERCHANT, STRANGER, version), version);
            vm.warp(block.timestamp + 2 * CONFIG_DELAY);
            expectStale(entry(MERCHANT, STRANGER, version), version);
            expectStale(entry(MERCHANT, TREASURY, version), version);
        }
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "the old entry is as good as before");
        (uint32 burnt, uint64 ripe) = pendingVersion();
        vm.assertTrue(burnt == 3 && ripe == 0, "the burnt version is remembered");
    }

    function testFuzz_nobody_else_vetoes(address caller) public {
        vm.assume(caller != OWNER && caller != GUARDIAN);
        configure(MERCHANT, STRANGER, 2);
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotGuardian.selector, caller));
        vm.prank(caller);
        hub.veto(MERCHANT);
    }

    function test_there_must_be_something_to_veto() public {
        bytes memory none = abi.encodeWithSelector(IHubErrors.NoChangePends.selector, MERCHANT);
        vm.startPrank(GUARDIAN);
        vm.expectRevert(none);
        hub.veto(MERCHANT);
        vm.stopPrank();
        configure(MERCHANT, STRANGER, 2);
        vm.startPrank(GUARDIAN);
        hub.veto(MERCHANT);
        vm.expectRevert(none);
        hub.veto(MERCHANT);
        vm.stopPrank();
    }

    function test_a_newer_entry_replaces_the_pending_one_and_waits_anew() public {
        configure(MERCHANT, STRANGER, 2);
        vm.warp(block.timestamp + CONFIG_DELAY - 1);
        expectPending(3, RECIPIENT, inForce());
        configure(MERCHANT, RECIPIENT, 3);
        vm.warp(block.timestamp + CONFIG_DELAY - 1);
        expectStale(entry(MERCHANT, STRANGER, 2), 3);
        vm.warp(block.timestamp + 1);
        configure(MERCHANT, RECIPIENT, 3);
        vm.assertEq(treasuryOf(MERCHANT), RECIPIENT, "the newer one");
    }

    /// @dev Two entries may have the same version by mistake: only the pending one counts.
    function test_only_the_very_entry_that_waited_is_in_force() public {
        configure(MERCHANT, STRANGER, 2);
        vm.warp(inForce());
        IRemitHub.MerchantConfig memory other = entry(MERCHANT, STRANGER, 2);
        other.feeBps += 1;
        expectStale(other, 2);
        other = entry(MERCHANT, STRANGER, 2);
        other.feeCap += 1;
        expectStale(other, 2);
        expectStale(entry(MERCHANT, RECIPIENT, 2), 2);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "unchanged");
    }

    function test_the_same_treasury_is_written_at_once_and_ends_what_pends() public {
        configure(MERCHANT, STRANGER, 2);
        IRemitHub.MerchantConfig memory config = entry(MERCHANT, TREASURY, 3);
        config.feeBps = 7;
        configure(config, CONFIG_KEY);
        vm.assertEq(versionOf(MERCHANT), 3, "written");
        vm.assertFalse(isChanging(MERCHANT), "not changing");
        vm.warp(inForce());
        expectStale(entry(MERCHANT, STRANGER, 2), 3);
    }

    function test_the_first_entry_of_a_merchant_is_written_at_once() public {
        configure(OTHER_MERCHANT, RECIPIENT, 1);
        vm.assertEq(treasuryOf(OTHER_MERCHANT), RECIPIENT, "written");
    }

    function test_without_a_delay_another_treasury_is_written_at_once() public {
        configure(MERCHANT, STRANGER, 2);
        proposeAndExecute(abi.encodeCall(hub.setDelays, (OWNER_DELAY, 0)));
        configure(MERCHANT, RECIPIENT, 3);
        vm.assertEq(treasuryOf(MERCHANT), RECIPIENT, "at once");
        vm.assertFalse(isChanging(MERCHANT), "and nothing pends");
    }

    function test_the_owner_overrules_what_pends() public {
        proposeAndExecute(abi.encodeCall(hub.setMerchant, (entry(MERCHANT, TREASURY, 500))));
        configure(MERCHANT, STRANGER, 501);
        proposeAndExecute(abi.encodeCall(hub.setMerchant, (entry(MERCHANT, RECIPIENT, 502))));
        vm.assertEq(treasuryOf(MERCHANT), RECIPIENT, "the owner's");
        vm.assertFalse(isChanging(MERCHANT), "nothing pends");
        expectStale(entry(MERCHANT, STRANGER, 501), 502);
    }

    function test_the_owner_needs_a_newer_version_than_the_pending_one() public {
        configure(MERCHANT, STRANGER, 2);
        bytes memory data = abi.encodeCall(hub.setMerchant, (entry(MERCHANT, RECIPIENT, 2)));
        vm.prank(OWNER);
        hub.propose(data);
        vm.warp(block.timestamp + OWNER_DELAY);
        vm.prank(OWNER);
        (bool ok, bytes memory reason) = address(hub).call(data);
        vm.assertFalse(ok, "refused");
        vm.assertEq(
            reason, abi.encodeWithSelector(IHubErrors.StaleVersion.selector, 2, 2), "reason"
        );
    }

    /// @dev A signer who is replaced takes what he has signed with him.
    function test_a_pending_change_needs_a_signer_who_still_signs() public {
        configure(MERCHANT, STRANGER, 2);
        vm.prank(OWNER);
        hub.setConfigSigner(address(0));
        vm.warp(inForce());
        expectConfigureRefused(
            entry(MERCHANT, STRANGER, 2),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.BadSignature.selector, address(0))
        );
    }

    function test_a_vetoed_thief_can_go_on_until_he_is_stopped() public {
        for (uint32 version = 2; version < 6; ++version) {
            configure(MERCHANT, STRANGER, version);
            vm.prank(GUARDIAN);
            hub.veto(MERCHANT);
        }
        vm.prank(GUARDIAN);
        hub.stop(8);
        expectConfigureRefused(entry(MERCHANT, STRANGER, 6), CONFIG_KEY, stopped(8));
        distribute(address(usdc), distributionOf(MERCHANT, 1));
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "and the merchant is paid");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice Which versions of an entry can be signed: near the newest that is known, and never those
///         that are the owner's.
contract SignedVersionsTest is HubTest {
    uint32 private constant HIGHEST = 2 ** 30 - 1;

    function delay() private {
        vm.prank(OWNER);
        hub.setDelays(0, CONFIG_DELAY);
    }

    function expectTooFar(uint32 version, uint32 newest) private {
        expectConfigureRefused(
            entry(MERCHANT, TREASURY, version),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.VersionTooFarAhead.selector, version, newest)
        );
    }

    function expectNotSignable(uint32 version) private {
        expectConfigureRefused(
            entry(MERCHANT, TREASURY, version),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.VersionNotSignable.selector, version, HIGHEST)
        );
    }

    function owners(uint32 version) private {
        vm.prank(OWNER);
        hub.setMerchant(entry(MERCHANT, TREASURY, version));
    }

    function testFuzz_the_step_is_measured_from_a_change_that_waits(uint32 pending) public {
        pending = uint32(within(pending, 2, 1_001));
        delay();
        configure(MERCHANT, RECIPIENT, pending);
        expectTooFar(pending + 1_001, pending);
        configure(MERCHANT, TREASURY, pending + 1_000);
        vm.assertEq(versionOf(MERCHANT), pending + 1_000, "a thousand is not too far");
    }

    function testFuzz_the_step_is_measured_from_a_version_that_is_burnt(uint32 burnt) public {
        burnt = uint32(within(burnt, 2, 1_001));
        delay();
        configure(MERCHANT, RECIPIENT, burnt);
        vm.prank(GUARDIAN);
        hub.veto(MERCHANT);
        expectTooFar(burnt + 1_001, burnt);
        configure(MERCHANT, TREASURY, burnt + 1_000);
        vm.assertEq(versionOf(MERCHANT), burnt + 1_000, "a thousand is not too far");
    }

    /// @dev The change itself is submitted again, however far it is from the active entry.
    function test_a_change_far_ahead_is_put_in_force() public {
        delay();
        for (uint32 version = 1_001; version < 5_000; version += 1_000) {
            configure(MERCHANT, RECIPIENT, version);
        }
        vm.warp(block.timestamp + CONFIG_DELAY);
        configure(MERCHANT, RECIPIENT, 4_001);
        vm.assertEq(versionOf(MERCHANT), 4_001, "version");
        vm.assertEq(treasuryOf(MERCHANT), RECIPIENT, "treasury");
    }

    function test_the_versions_of_the_owner_can_not_be_signed() public {
        vm.assertEq(hub.MAX_SIGNED_VERSION(), HIGHEST, "a quarter of all versions");
        owners(HIGHEST - 1);
        expectNotSignable(HIGHEST + 1);
        configure(MERCHANT, TREASURY, HIGHEST);
        vm.assertEq(versionOf(MERCHANT), HIGHEST, "the last one that can be signed");
        expectNotSignable(HIGHEST + 1);
        owners(HIGHEST + 1);
        expectNotSignable(HIGHEST + 2);
        owners(type(uint32).max);
        vm.assertEq(versionOf(MERCHANT), type(uint32).max, "all the others are the owner's");
    }
}

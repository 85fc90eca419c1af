// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The thief acts in bulk, so that undoing it item by item is too slow.
contract FloodAttack is LiveHub {
    uint256 private constant NEW_CONFIG_KEY = 0xC0F2;
    uint256 private constant MANY = 500;

    function powerOf(uint256 i) private view returns (bytes memory) {
        return abi.encodeCall(hub.setRefundSigner, (address(uint160(0xBAD0000 + i))));
    }

    /// @dev The owner's key is stolen. A proposal costs a thief little, a veto of all even less.
    function test_a_flood_of_proposals_ends_by_one_call() public {
        vm.startPrank(OWNER);
        for (uint256 i; i < MANY; ++i) {
            hub.propose(powerOf(i));
        }
        vm.stopPrank();
        uint256 before = gasleft();
        vm.prank(GUARDIAN);
        hub.vetoProposals();
        vm.assertTrue(before - gasleft() < 50_000, "for next to nothing");
        vm.warp(block.timestamp + OWNER_DELAY);
        for (uint256 i; i < MANY; ++i) {
            bytes memory call = powerOf(i);
            expectRefused(
                OWNER,
                call,
                abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(call))
            );
        }
    }

    /// @dev The configuration key is stolen: the thief burns the versions that are near.
    function test_a_burnt_version_does_not_lock_a_merchant_up() public {
        for (uint32 i; i < 5; ++i) {
            configure(entry(MERCHANT, THIEF, 1_001 + 1_000 * i));
        }
        vm.prank(GUARDIAN);
        hub.veto(MERCHANT);
        replaceConfigSigner();
        configure(entry(MERCHANT, TREASURY, 5_002), NEW_CONFIG_KEY);
        vm.assertEq(versionOf(MERCHANT), 5_002, "the next signer writes at once");
        configure(entry(MERCHANT, CUSTOMER, 5_003), NEW_CONFIG_KEY);
        vm.warp(block.timestamp + CONFIG_DELAY);
        configure(entry(MERCHANT, CUSTOMER, 5_003), NEW_CONFIG_KEY);
        vm.assertEq(treasuryOf(MERCHANT), CUSTOMER, "and other treasuries after their delay");
    }

    /// @dev Step by step the thief uses up all versions that can be signed, with the treasury as it is.
    function test_the_owner_writes_after_all_signed_versions_are_used_up() public {
        uint32 highest = hub.MAX_SIGNED_VERSION();
        // A million entries later.
        owners(highest - 500);
        configure(entry(MERCHANT, TREASURY, highest));
        configure(entry(MERCHANT, TREASURY, highest + 1));
        configure(entry(MERCHANT, TREASURY, type(uint32).max));
        vm.assertEq(versionOf(MERCHANT), highest, "no further");
        owners(highest + 1);
        vm.assertEq(versionOf(MERCHANT), highest + 1, "the owner does");
    }

    function owners(uint32 version) private {
        bytes memory call = abi.encodeCall(hub.setMerchant, (entry(MERCHANT, TREASURY, version)));
        proposeAndWait(call);
        asOwner(call);
    }

    function replaceConfigSigner() private {
        bytes memory call = abi.encodeCall(hub.setConfigSigner, (vm.addr(NEW_CONFIG_KEY)));
        proposeAndWait(call);
        asOwner(call);
    }
}

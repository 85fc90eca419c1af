// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice What adds power waits; what takes it away does not.
contract OwnerDelayTest is HubTest {
    address private constant NEW = address(0x4E77);

    function setUp() public override {
        super.setUp();
        harden();
    }

    /// @dev Every call that grants a power.
    function additions() private view returns (bytes[] memory calls) {
        calls = new bytes[](13);
        calls[0] = abi.encodeCall(hub.transferOwnership, (NEW));
        calls[1] = abi.encodeCall(hub.setOperator, (NEW, true));
        calls[2] = abi.encodeCall(hub.setConfigSigner, (NEW));
        calls[3] = abi.encodeCall(hub.setRefundSigner, (NEW));
        calls[4] = abi.encodeCall(hub.setFeeCollector, (NEW));
        calls[5] = abi.encodeCall(hub.setToken, (NEW, true, 6, 0));
        calls[6] = abi.encodeCall(hub.setToken, (address(usdc), true, 6, REFUND_LIMIT + 1));
        calls[7] = abi.encodeCall(hub.setToken, (address(usdc), true, 7, REFUND_LIMIT));
        calls[8] = abi.encodeCall(hub.setToken, (NEW, false, 0, 1));
        calls[9] = abi.encodeCall(hub.setMerchant, (entry(MERCHANT, NEW, 2)));
        calls[10] = abi.encodeCall(hub.setDelays, (OWNER_DELAY, CONFIG_DELAY - 1));
        calls[11] = abi.encodeCall(hub.setGuardian, (NEW));
        calls[12] = abi.encodeCall(hub.setDelays, (OWNER_DELAY - 1, CONFIG_DELAY));
    }

    function expectRefused(bytes memory data, bytes memory reason) private {
        vm.prank(OWNER);
        (bool ok, bytes memory answer) = address(hub).call(data);
        vm.assertFalse(ok, "refused");
        vm.assertEq(answer, reason, "for this reason");
    }

    function propose(bytes memory data) private returns (bytes32 id, uint64 ripe) {
        id = keccak256(data);
        vm.prank(OWNER);
        hub.propose(data);
        ripe = hub.readyAt(id);
    }

    function test_no_addition_works_without_its_proposal() public {
        bytes[] memory calls = additions();
        for (uint256 i; i < calls.length; ++i) {
            expectRefused(
                calls[i],
                abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(calls[i]))
            );
        }
    }

    function test_every_addition_works_after_its_proposal_and_its_delay_once() public {
        bytes[] memory calls = additions();
        for (uint256 i; i < calls.length; ++i) {
            uint256 start = block.timestamp;
            uint256 delay = i == 11 ? 7 * OWNER_DELAY : OWNER_DELAY;
            bytes32 id = keccak256(calls[i]);
            vm.expectEmit(address(hub));
            emit IRemitHub.Proposed(id, calls[i], uint64(start + delay));
            (, uint64 ripe) = propose(calls[i]);
            vm.assertEq(ripe, start + delay, "when");
            vm.warp(ripe - 1);
            expectRefused(
                calls[i], abi.encodeWithSelector(IHubErrors.NotReady.selector, id, ripe)
            );
            vm.warp(ripe);
            vm.expectEmit(address(hub));
            emit IRemitHub.ProposalExecuted(id);
            asOwner(calls[i]);
            vm.assertEq(hub.readyAt(id), 0, "used up");
            // To set a token or the delays to what they are already adds nothing.
            if (i != 9 && i != 11 && i > 4) continue;
            expectRefused(
                calls[i], abi.encodeWithSelector(IHubErrors.NotProposed.selector, id)
            );
        }
        vm.assertEq(treasuryOf(MERCHANT), NEW, "the merchant was written");
        vm.assertEq(hub.guardian(), NEW, "the guardian was replaced");
        vm.assertEq(hub.pendingOwner(), NEW, "the ownership was offered");
    }

    function test_what_takes_power_away_needs_no_proposal() public {
        vm.startPrank(OWNER);
        hub.setConfigSigner(address(0));
        hub.setRefundSigner(address(0));
        hub.setOperator(RELAYER, false);
        hub.setToken(address(usdc), true, 6, REFUND_LIMIT - 1);
        hub.setToken(address(usdc), false, 6, 0);
        hub.setToken(address(usdt), false, 6, REFUND_LIMIT);
        hub.setDelays(OWNER_DELAY + 1, CONFIG_DELAY);
        hub.setDelays(OWNER_DELAY + 1, CONFIG_DELAY + 1);
        hub.transferOwnership(address(0));
        vm.stopPrank();
        vm.assertEq(hub.configSigner(), address(0), "configSigner");
        vm.assertEq(hub.refundSigner(), address(0), "refundSigner");
        vm.assertFalse(hub.isOperator(RELAYER), "operator");
        (bool listed,, uint232 limit) = hub.tokens(address(usdc));
        vm.assertTrue(!listed && limit == 0, "token");
    }

    /// @dev What was unlisted at once comes back only after the delay.
    function test_an_unlisted_token_is_listed_again_after_the_delay() public {
        bytes memory data = abi.encodeCall(hub.setToken, (address(usdc), true, 6, 0));
        asOwner(abi.encodeCall(hub.setToken, (address(usdc), false, 6, REFUND_LIMIT)));
        expectRefused(
            data, abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(data))
        );
        proposeAndExecute(data);
    }

    function test_a_proposal_is_for_one_call_byte_by_byte() public {
        bytes memory data = abi.encodeCall(hub.setRefundSigner, (NEW));
        (, uint64 ripe) = propose(data);
        vm.warp(ripe);
        bytes memory other = abi.encodeCall(hub.setRefundSigner, (STRANGER));
        expectRefused(
            other, abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(other))
        );
        other = abi.encodePacked(data, hex"00");
        expectRefused(
            other, abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(other))
        );
        asOwner(data);
    }

    function test_a_proposal_expires() public {
        bytes memory data = abi.encodeCall(hub.setRefundSigner, (NEW));
        (bytes32 id, uint64 ripe) = propose(data);
        vm.warp(ripe + 14 days + 1);
        expectRefused(
            data,
            abi.encodeWithSelector(IHubErrors.ProposalExpired.selector, id, ripe + 14 days)
        );
        (, ripe) = propose(data);
        vm.warp(ripe + 14 days);
        asOwner(data);
        vm.assertEq(hub.refundSigner(), NEW, "the last second is good");
    }

    function test_proposing_again_begins_the_wait_again() public {
        bytes memory data = abi.encodeCall(hub.setRefundSigner, (NEW));
        propose(data);
        vm.warp(block.timestamp + OWNER_DELAY - 1);
        (bytes32 id, uint64 ripe) = propose(data);
        vm.warp(block.timestamp + 1);
        expectRefused(data, abi.encodeWithSelector(IHubErrors.NotReady.selector, id, ripe));
    }

    function test_both_guards_end_a_proposal() public {
        address[2] memory guards = [OWNER, GUARDIAN];
        for (uint256 i; i < 2; ++i) {
            bytes memory data = abi.encodeCall(hub.setRefundSigner, (NEW));
            (bytes32 id, uint64 ripe) = propose(data);
            vm.expectEmit(address(hub));
            emit IRemitHub.ProposalVetoed(id);
            vm.prank(guards[i]);
            hub.vetoProposal(id);
            vm.warp(ripe);
            expectRefused(data, abi.encodeWithSelector(IHubErrors.NotProposed.selector, id));
            vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotProposed.selector, id));
            vm.prank(guards[i]);
            hub.vetoProposal(id);
        }
    }

    function testFuzz_nobody_else_ends_a_proposal(address caller) public {
        vm.assume(caller != OWNER && caller != GUARDIAN);
        (bytes32 id,) = propose(abi.encodeCall(hub.setRefundSigner, (NEW)));
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotGuardian.selector, caller));
        vm.prank(caller);
        hub.vetoProposal(id);
    }

    /// @dev A thief of the guardian's key could otherwise stop everything forever.
    function test_the_guardian_cannot_keep_its_place() public {
        bytes memory data = abi.encodeCall(hub.setGuardian, (NEW));
        (bytes32 id, uint64 ripe) = propose(data);
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotOwner.selector, GUARDIAN, OWNER));
        vm.prank(GUARDIAN);
        hub.vetoProposal(id);
        vm.warp(ripe);
        asOwner(data);
        vm.assertEq(hub.guardian(), NEW, "replaced");
    }

    function test_the_owner_can_end_the_guardians_replacement() public {
        bytes memory data = abi.encodeCall(hub.setGuardian, (NEW));
        (bytes32 id, uint64 ripe) = propose(data);
        vm.prank(OWNER);
        hub.vetoProposal(id);
        vm.warp(ripe);
        expectRefused(data, abi.encodeWithSelector(IHubErrors.NotProposed.selector, id));
    }

    function test_the_first_guardian_needs_no_proposal() public {
        proposeAndExecute(abi.encodeCall(hub.setGuardian, (address(0))));
        vm.prank(OWNER);
        hub.setGuardian(NEW);
        vm.assertEq(hub.guardian(), NEW, "at once");
    }

    function test_nobody_but_the_owner_sets_the_first_guardian() public {
        proposeAndExecute(abi.encodeCall(hub.setGuardian, (address(0))));
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotOwner.selector, STRANGER, OWNER));
        vm.prank(STRANGER);
        hub.setGuardian(STRANGER);
    }

    function test_nobody_proposes_but_the_owner() public {
        address[3] memory others = [GUARDIAN, RELAYER, STRANGER];
        for (uint256 i; i < 3; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(IHubErrors.NotOwner.selector, others[i], OWNER)
            );
            vm.prank(others[i]);
            hub.propose(abi.encodeCall(hub.setRefundSigner, (others[i])));
        }
    }

    /// @dev Proposals belong to the role: a new owner inherits those of the former one.
    function test_a_new_owner_inherits_what_was_proposed() public {
        (, uint64 ripe) = propose(abi.encodeCall(hub.setRefundSigner, (NEW)));
        proposeAndExecute(abi.encodeCall(hub.transferOwnership, (RECIPIENT)));
        vm.prank(RECIPIENT);
        hub.acceptOwnership();
        vm.warp(ripe);
        vm.prank(RECIPIENT);
        hub.setRefundSigner(NEW);
        vm.assertEq(hub.refundSigner(), NEW, "executed");
    }

    function test_the_owner_writes_any_newer_version_of_a_merchant() public {
        IRemitHub.MerchantConfig memory config = entry(MERCHANT, NEW, type(uint32).max);
        bytes memory data = abi.encodeCall(hub.setMerchant, (config));
        vm.expectEmit(address(hub));
        emit IRemitHub.Proposed(keccak256(data), data, uint64(block.timestamp + OWNER_DELAY));
        proposeAndExecute(data);
        vm.assertEq(treasuryOf(MERCHANT), NEW, "treasury");
        vm.assertEq(versionOf(MERCHANT), type(uint32).max, "however far ahead");
    }

    function testFuzz_the_owner_writes_no_older_version(uint32 version) public {
        version = uint32(within(version, 0, 1));
        bytes memory data = abi.encodeCall(hub.setMerchant, (entry(MERCHANT, NEW, version)));
        (, uint64 ripe) = propose(data);
        vm.warp(ripe);
        expectRefused(
            data, abi.encodeWithSelector(IHubErrors.StaleVersion.selector, version, 1)
        );
    }

    function test_the_owner_writes_no_impossible_entry() public {
        IRemitHub.MerchantConfig memory config = entry(MERCHANT, address(hub), 2);
        bytes memory data = abi.encodeCall(hub.setMerchant, (config));
        (, uint64 ripe) = propose(data);
        vm.warp(ripe);
        expectRefused(
            data, abi.encodeWithSelector(IHubErrors.HubAsReceiver.selector, address(hub))
        );
    }
}

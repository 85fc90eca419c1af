// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice One call ends all that is proposed, however much that is.
contract VetoProposalsTest is HubTest {
    address private constant NEW = address(0x4E77);

    function setUp() public override {
        super.setUp();
        harden();
    }

    function propose(bytes memory call) private returns (bytes32 id) {
        vm.prank(OWNER);
        hub.propose(call);
        return keccak256(call);
    }

    function proposeSigner(uint160 account) private returns (bytes32 id) {
        return propose(abi.encodeCall(hub.setRefundSigner, (address(account))));
    }

    function vetoAll(address guard) private {
        vm.prank(guard);
        hub.vetoProposals();
    }

    function test_both_guards_end_all_proposals_at_once() public {
        address[2] memory guards = [OWNER, GUARDIAN];
        for (uint64 i; i < 2; ++i) {
            proposeSigner(1);
            bytes32 id = proposeSigner(2);
            uint64 ripe = hub.readyAt(id);
            vm.expectEmit(address(hub));
            emit IRemitHub.ProposalsVetoed(i + 1);
            vetoAll(guards[i]);
            vm.warp(ripe);
            for (uint160 account = 1; account < 3; ++account) {
                bytes memory call = abi.encodeCall(hub.setRefundSigner, (address(account)));
                id = keccak256(call);
                vm.assertEq(hub.readyAt(id), 0, "there is none any more");
                vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotProposed.selector, id));
                vm.prank(OWNER);
                hub.setRefundSigner(address(account));
                vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotProposed.selector, id));
                vm.prank(guards[i]);
                hub.vetoProposal(id);
            }
        }
    }

    function testFuzz_nobody_else_ends_all_proposals(address caller) public {
        vm.assume(caller != OWNER && caller != GUARDIAN);
        bytes32 id = proposeSigner(1);
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotGuardian.selector, caller));
        vetoAll(caller);
        vm.assertEq(hub.readyAt(id), block.timestamp + OWNER_DELAY, "it still waits");
    }

    /// @dev A thief of the guardian's key could otherwise keep his role forever.
    function test_the_replacement_of_the_guardian_stays() public {
        bytes32 id = propose(abi.encodeCall(hub.setGuardian, (NEW)));
        uint64 ripe = hub.readyAt(id);
        vetoAll(GUARDIAN);
        vetoAll(OWNER);
        vm.assertEq(hub.readyAt(id), ripe, "it waits as before");
        vm.warp(ripe);
        vm.prank(OWNER);
        hub.setGuardian(NEW);
        vm.assertEq(hub.guardian(), NEW, "replaced");
    }

    function test_the_owner_ends_the_replacement_by_itself() public {
        bytes32 id = propose(abi.encodeCall(hub.setGuardian, (NEW)));
        vetoAll(OWNER);
        vm.prank(OWNER);
        hub.vetoProposal(id);
        vm.assertEq(hub.readyAt(id), 0, "ended");
    }

    function test_what_is_proposed_afterwards_waits_from_its_own_beginning() public {
        bytes32 id = proposeSigner(1);
        uint256 start = block.timestamp;
        vm.warp(start + OWNER_DELAY - 1);
        vetoAll(GUARDIAN);
        proposeSigner(1);
        uint64 ripe = hub.readyAt(id);
        vm.assertEq(ripe, start + 2 * OWNER_DELAY - 1, "the whole delay again");
        vm.warp(ripe);
        vm.prank(OWNER);
        hub.setRefundSigner(address(1));
        vm.assertEq(hub.refundSigner(), address(1), "executed");
    }
}

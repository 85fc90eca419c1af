// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RemitHub} from "../src/RemitHub.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

contract OwnershipTest is HubTest {
    function test_ownership_passes_in_two_steps() public {
        vm.expectEmit(address(hub));
        emit IRemitHub.OwnershipTransferStarted(OWNER, RECIPIENT);
        vm.prank(OWNER);
        hub.transferOwnership(RECIPIENT);
        vm.assertEq(hub.owner(), OWNER, "not yet");
        vm.assertEq(hub.pendingOwner(), RECIPIENT, "offered");
        vm.expectEmit(address(hub));
        emit IRemitHub.OwnershipTransferred(OWNER, RECIPIENT);
        vm.prank(RECIPIENT);
        hub.acceptOwnership();
        vm.assertEq(hub.owner(), RECIPIENT, "accepted");
        vm.assertEq(hub.pendingOwner(), address(0), "no offer is left");
    }

    function test_an_offer_can_be_withdrawn() public {
        vm.startPrank(OWNER);
        hub.transferOwnership(RECIPIENT);
        hub.transferOwnership(address(0));
        vm.stopPrank();
        vm.expectRevert(
            abi.encodeWithSelector(IRemitHub.NotPendingOwner.selector, RECIPIENT, address(0))
        );
        vm.prank(RECIPIENT);
        hub.acceptOwnership();
    }

    function testFuzz_nobody_else_accepts(address caller) public {
        vm.assume(caller != RECIPIENT);
        vm.prank(OWNER);
        hub.transferOwnership(RECIPIENT);
        vm.expectRevert(
            abi.encodeWithSelector(IRemitHub.NotPendingOwner.selector, caller, RECIPIENT)
        );
        vm.prank(caller);
        hub.acceptOwnership();
    }

    function testFuzz_only_the_owner_replaces_anything(address caller) public {
        vm.assume(caller != OWNER);
        bytes[] memory calls = new bytes[](5);
        calls[0] = abi.encodeCall(hub.transferOwnership, (caller));
        calls[1] = abi.encodeCall(hub.setOperator, (caller, true));
        calls[2] = abi.encodeCall(hub.setConfigSigner, (caller));
        calls[3] = abi.encodeCall(hub.setRefundSigner, (caller));
        calls[4] = abi.encodeCall(hub.setFeeCollector, (caller));
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(caller);
            (bool ok, bytes memory reason) = address(hub).call(calls[i]);
            vm.assertFalse(ok, "refused");
            vm.assertEq(
                reason,
                abi.encodeWithSelector(IRemitHub.NotOwner.selector, caller, OWNER),
                "with both accounts"
            );
        }
    }

    function test_the_owner_replaces_operators_signers_and_collector() public {
        vm.startPrank(OWNER);
        vm.expectEmit(address(hub));
        emit IRemitHub.OperatorSet(RELAYER, false);
        hub.setOperator(RELAYER, false);
        vm.expectEmit(address(hub));
        emit IRemitHub.ConfigSignerSet(RECIPIENT);
        hub.setConfigSigner(RECIPIENT);
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundSignerSet(RECIPIENT);
        hub.setRefundSigner(RECIPIENT);
        vm.expectEmit(address(hub));
        emit IRemitHub.FeeCollectorSet(RECIPIENT);
        hub.setFeeCollector(RECIPIENT);
        vm.stopPrank();
        vm.assertFalse(hub.isOperator(RELAYER), "operator");
        vm.assertEq(hub.configSigner(), RECIPIENT, "configSigner");
        vm.assertEq(hub.refundSigner(), RECIPIENT, "refundSigner");
        vm.assertEq(hub.feeCollector(), RECIPIENT, "feeCollector");
    }

    function test_a_replaced_key_signs_no_more() public {
        vm.startPrank(OWNER);
        hub.setConfigSigner(RECIPIENT);
        hub.setRefundSigner(RECIPIENT);
        hub.setOperator(RELAYER, false);
        vm.stopPrank();
        configure(MERCHANT, STRANGER, 2);
        (address treasury,,,) = hub.merchants(MERCHANT);
        vm.assertEq(treasury, TREASURY, "treasury");
        refund(refundOf("r1", address(usdc), STRANGER, 1));
        vm.assertFalse(hub.isRefundSpent("r1"), "unspent");
        vm.expectRevert(abi.encodeWithSelector(IRemitHub.NotOperator.selector, RELAYER));
        sweep(sweepOf(address(usdc), 1, 0));
    }

    function test_roles_are_never_nobody_and_fees_never_the_hubs() public {
        bytes memory zero = abi.encodeWithSelector(IRemitHub.ZeroAddress.selector);
        vm.startPrank(OWNER);
        vm.expectRevert(zero);
        hub.setOperator(address(0), true);
        vm.expectRevert(zero);
        hub.setConfigSigner(address(0));
        vm.expectRevert(zero);
        hub.setRefundSigner(address(0));
        vm.expectRevert(zero);
        hub.setFeeCollector(address(0));
        vm.expectRevert(
            abi.encodeWithSelector(IRemitHub.HubAsReceiver.selector, address(hub))
        );
        hub.setFeeCollector(address(hub));
        vm.stopPrank();
    }

    function test_a_hub_is_not_built_with_a_role_missing() public {
        for (uint256 missing; missing < 4; ++missing) {
            address[4] memory roles = [OWNER, RECIPIENT, RECIPIENT, COLLECTOR];
            roles[missing] = address(0);
            vm.expectRevert(abi.encodeWithSelector(IRemitHub.ZeroAddress.selector));
            new RemitHub(roles[0], roles[1], roles[2], roles[3], "sandbox");
        }
    }
}

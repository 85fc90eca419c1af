// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice Who appoints whom, while the owner has no delay.
contract OwnershipTest is HubTest {
    bytes private zero = abi.encodeWithSelector(IHubErrors.ZeroAddress.selector);

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
            abi.encodeWithSelector(IHubErrors.NotPendingOwner.selector, RECIPIENT, address(0))
        );
        vm.prank(RECIPIENT);
        hub.acceptOwnership();
    }

    function testFuzz_nobody_else_accepts(address caller) public {
        vm.assume(caller != RECIPIENT);
        vm.prank(OWNER);
        hub.transferOwnership(RECIPIENT);
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.NotPendingOwner.selector, caller, RECIPIENT)
        );
        vm.prank(caller);
        hub.acceptOwnership();
    }

    /// @dev Both what adds power and what takes it away, without a delay and with one.
    function testFuzz_only_the_owner_does_any_of_this(address caller, bool hardened) public {
        vm.assume(caller != OWNER);
        if (hardened) harden();
        bytes[] memory calls = new bytes[](19);
        calls[0] = abi.encodeCall(hub.transferOwnership, (caller));
        calls[1] = abi.encodeCall(hub.transferOwnership, (address(0)));
        calls[2] = abi.encodeCall(hub.setOperator, (caller, true));
        calls[3] = abi.encodeCall(hub.setOperator, (RELAYER, false));
        calls[4] = abi.encodeCall(hub.setConfigSigner, (caller));
        calls[5] = abi.encodeCall(hub.setConfigSigner, (address(0)));
        calls[6] = abi.encodeCall(hub.setRefundSigner, (caller));
        calls[7] = abi.encodeCall(hub.setRefundSigner, (address(0)));
        calls[8] = abi.encodeCall(hub.setGuardian, (caller));
        calls[9] = abi.encodeCall(hub.setFeeCollector, (caller));
        calls[10] = abi.encodeCall(hub.setToken, (caller, true, 6, UNLIMITED));
        calls[11] = abi.encodeCall(hub.setToken, (address(usdc), false, 6, 0));
        calls[12] = abi.encodeCall(hub.setDelays, (0, 0));
        calls[13] = abi.encodeCall(hub.setMerchant, (entry(MERCHANT, caller, 2)));
        calls[14] = abi.encodeCall(hub.recover, (address(hub), address(0), caller, 0));
        calls[15] = abi.encodeCall(hub.recoverCall, (address(hub), caller, ""));
        calls[16] = abi.encodeCall(hub.propose, (calls[0]));
        calls[17] = abi.encodeCall(hub.approveRefund, (bytes32("digest")));
        calls[18] = abi.encodeCall(hub.resume, (255));
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(caller);
            (bool ok, bytes memory reason) = address(hub).call(calls[i]);
            vm.assertFalse(ok, "refused");
            vm.assertEq(
                reason,
                abi.encodeWithSelector(IHubErrors.NotOwner.selector, caller, OWNER),
                "with both accounts"
            );
        }
    }

    function test_the_owner_replaces_everybody() public {
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
        vm.expectEmit(address(hub));
        emit IRemitHub.GuardianSet(RECIPIENT);
        hub.setGuardian(RECIPIENT);
        vm.expectEmit(address(hub));
        emit IRemitHub.TokenSet(RECIPIENT, true, 18, 7);
        hub.setToken(RECIPIENT, true, 18, 7);
        vm.expectEmit(address(hub));
        emit IRemitHub.DelaysSet(3, 4);
        hub.setDelays(3, 4);
        vm.stopPrank();
        vm.assertFalse(hub.isOperator(RELAYER), "operator");
        vm.assertEq(hub.configSigner(), RECIPIENT, "configSigner");
        vm.assertEq(hub.refundSigner(), RECIPIENT, "refundSigner");
        vm.assertEq(hub.feeCollector(), RECIPIENT, "feeCollector");
        vm.assertEq(hub.guardian(), RECIPIENT, "guardian");
        (bool listed, uint8 decimals, uint232 limit) = hub.tokens(RECIPIENT);
        vm.assertTrue(listed && decimals == 18 && limit == 7, "token");
        vm.assertEq(hub.ownerDelay(), 3, "ownerDelay");
        vm.assertEq(hub.configDelay(), 4, "configDelay");
    }

    function test_a_replaced_key_signs_no_more() public {
        vm.startPrank(OWNER);
        hub.setConfigSigner(RECIPIENT);
        hub.setRefundSigner(RECIPIENT);
        hub.setOperator(RELAYER, false);
        vm.stopPrank();
        configure(MERCHANT, STRANGER, 2);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "treasury");
        refund(refundOf(1, address(usdc), STRANGER, 1));
        vm.assertFalse(hub.isRefundSpent(1), "unspent");
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotOperator.selector, RELAYER));
        sweepAsItIs(sweepOf(address(usdc), 1, 0));
    }

    function test_operators_and_collectors_are_somebody_and_fees_never_the_hubs() public {
        vm.startPrank(OWNER);
        vm.expectRevert(zero);
        hub.setOperator(address(0), true);
        vm.expectRevert(zero);
        hub.setFeeCollector(address(0));
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.HubAsReceiver.selector, address(hub)));
        hub.setFeeCollector(address(hub));
        vm.stopPrank();
    }

    function test_native_coin_is_never_listed() public {
        vm.startPrank(OWNER);
        vm.expectRevert(zero);
        hub.setToken(address(0), true, 18, 0);
        hub.setToken(address(0), false, 18, 1 ether);
        vm.stopPrank();
        (bool listed,, uint232 limit) = hub.tokens(address(0));
        vm.assertFalse(listed, "not listed");
        vm.assertEq(limit, 1 ether, "but refundable");
    }

    function testFuzz_impossible_decimals_and_delays_are_refused(uint8 decimals, uint32 delay)
        public
    {
        decimals = uint8(within(decimals, 37, type(uint8).max));
        delay = uint32(within(delay, 30 days + 1, type(uint32).max));
        vm.startPrank(OWNER);
        vm.expectRevert(
            abi.encodeWithSelector(IHubErrors.DecimalsTooMany.selector, decimals, 36)
        );
        hub.setToken(address(usdc), true, decimals, 0);
        bytes memory tooLong =
            abi.encodeWithSelector(IHubErrors.DelayTooLong.selector, delay, 30 days);
        vm.expectRevert(tooLong);
        hub.setDelays(delay, 0);
        vm.expectRevert(tooLong);
        hub.setDelays(0, delay);
        hub.setDelays(30 days, 30 days);
        vm.stopPrank();
    }

    function test_a_hub_begins_with_its_owner_and_nobody_else() public {
        bytes memory arguments = abi.encode(address(0), bytes32("sandbox"));
        bytes memory code = abi.encodePacked(vm.getCode("RemitHub.sol:RemitHub"), arguments);
        address built;
        assembly {
            built := create(0, add(code, 0x20), mload(code))
        }
        vm.assertEq(built, address(0), "not without an owner");
        hub = newHub("live");
        vm.assertEq(hub.owner(), OWNER, "owner");
        vm.assertEq(hub.guardian(), address(0), "guardian");
        vm.assertEq(hub.configSigner(), address(0), "configSigner");
        vm.assertEq(hub.refundSigner(), address(0), "refundSigner");
        vm.assertEq(hub.feeCollector(), address(0), "feeCollector");
        vm.assertEq(hub.ownerDelay() + hub.configDelay() + hub.stops(), 0, "delays and stops");
    }

    /// @dev Before a collector is named, a fee would be burnt.
    function test_without_a_collector_no_fee_is_charged() public {
        hub = newHub("live");
        vm.startPrank(OWNER);
        hub.setOperator(RELAYER, true);
        hub.setToken(address(usdc), true, 6, 0);
        vm.stopPrank();
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 100e6, 1e6);
        item.recipient = RECIPIENT;
        usdc.mint(depositOf(item), 100e6);
        expectSweepRefused(item, zero);
        item.fee = 0;
        sweep(item);
        vm.assertEq(usdc.balanceOf(RECIPIENT), 100e6, "without a fee it is paid");
    }
}

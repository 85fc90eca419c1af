// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {Signing} from "../support/Signing.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice Keys that were stolen and replaced: what they signed is worth nothing any more, not even
///         on a chain to which the hub comes later. The hub of the next chain is a fresh deployment
///         with the same bytes and arguments; that its address is the same is AddressesTest's.
contract RetiredKeysAttack is LiveHub {
    uint256 private constant NEXT_KEY = 0x4E3;

    function test_nobody_has_a_say_on_a_new_chain_until_the_owner_appoints_him() public {
        vm.chainId(8453);
        hub = newHub("live");
        vm.assertEq(hub.owner(), OWNER, "the owner");
        vm.assertEq(hub.configSigner(), address(0), "no configuration signer");
        vm.assertEq(hub.refundSigner(), address(0), "no refund signer");
        vm.assertEq(hub.guardian(), address(0), "no guardian");
        vm.assertEq(hub.feeCollector(), address(0), "no collector");
        vm.assertFalse(hub.isOperator(RELAYER), "no operator");

        configure(entry(MERCHANT, THIEF, 1));
        vm.assertEq(treasuryOf(MERCHANT), address(0), "the old key configures no merchant");
        usdc.mint(depositOf(INVOICE), 10e6);
        refund(refundBy(REFUND_KEY, INVOICE, address(usdc), THIEF, 1));
        vm.assertEq(usdc.balanceOf(THIEF), 0, "and refunds nothing");
    }

    /// @dev A signature that recovers to the zero address isn't accepted for an unset signer.
    function testFuzz_an_unset_signer_signs_nothing(bytes32 r, bytes32 s, uint8 v, bytes memory rest)
        public
    {
        hub = newHub("live");
        vm.prank(OWNER);
        hub.setToken(address(usdc), true, 6, type(uint232).max);
        usdc.mint(depositOf(INVOICE), 10e6);
        IRemitHub.DepositRefund memory item =
            refundBy(REFUND_KEY, INVOICE, address(usdc), THIEF, 1);
        bytes[3] memory signatures = [abi.encodePacked(r, s, v), rest, bytes("")];
        for (uint256 i; i < signatures.length; ++i) {
            item.signature = signatures[i];
            refund(item);
            configure(entry(MERCHANT, THIEF, 1), signatures[i]);
        }
        vm.assertEq(usdc.balanceOf(THIEF), 0, "no refund");
        vm.assertEq(treasuryOf(MERCHANT), address(0), "no entry");
    }

    function test_what_a_replaced_refund_key_signed_is_refused() public {
        usdc.mint(depositOf(INVOICE), 100e6);
        IRemitHub.DepositRefund memory old =
            refundBy(REFUND_KEY, INVOICE, address(usdc), THIEF, 1e6);
        old.refund.deadline = type(uint256).max;
        old.signature = signed(old.refund, REFUND_KEY);
        replace(abi.encodeCall(hub.setRefundSigner, (vm.addr(NEXT_KEY))));
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundFailed(
            1, abi.encodeWithSelector(IHubErrors.BadSignature.selector, vm.addr(NEXT_KEY))
        );
        refund(old);
        refund(refundBy(NEXT_KEY, INVOICE, address(usdc), CUSTOMER, 2e6));
        vm.assertEq(usdc.balanceOf(THIEF), 0, "not the old one");
        vm.assertEq(usdc.balanceOf(CUSTOMER), 2e6, "the new one");
    }

    function test_what_a_replaced_configuration_key_signed_is_refused() public {
        configure(entry(MERCHANT, THIEF, 2));
        IRemitHub.MerchantConfig memory fresh = entry(MERCHANT, TREASURY, 3);
        replace(abi.encodeCall(hub.setConfigSigner, (vm.addr(NEXT_KEY))));
        configure(entry(MERCHANT, THIEF, 2));
        configure(entry(NEW_MERCHANT, THIEF, 1));
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "what was pending is not activated");
        vm.assertEq(treasuryOf(NEW_MERCHANT), address(0), "nothing new");
        configure(fresh, packed(NEXT_KEY, Signing.config(fresh, address(hub))));
        vm.assertEq(versionOf(MERCHANT), 3, "the new key's entry, at once: the same treasury");
    }

    function test_a_former_owner_has_no_say_and_his_proposals_are_not_his() public {
        bytes memory call = abi.encodeCall(hub.setOperator, (THIEF, true));
        vm.prank(OWNER);
        hub.propose(call);
        replace(abi.encodeCall(hub.transferOwnership, (CUSTOMER)));
        vm.prank(CUSTOMER);
        hub.acceptOwnership();
        expectRefused(
            OWNER, call, abi.encodeWithSelector(IHubErrors.NotOwner.selector, OWNER, CUSTOMER)
        );
        vm.prank(CUSTOMER);
        hub.vetoProposal(keccak256(call));
        vm.assertEq(hub.readyAt(keccak256(call)), 0, "the new owner ends it");
    }

    function replace(bytes memory call) private {
        proposeAndWait(call);
        asOwner(call);
    }
}

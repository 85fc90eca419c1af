// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {IPermitProxy} from "../../src/interfaces/IPermitProxies.sol";
import {TestPermit2} from "../stand-ins/TestPermit2.sol";
import {TestExactProxy} from "../stand-ins/TestExactProxy.sol";
import {TestUptoProxy} from "../stand-ins/TestUptoProxy.sol";
import {HubTest} from "./HubTest.sol";
import {Signing} from "./Signing.sol";

/// @notice A payer who has approved Permit2, and what he signs. Permit2 and both proxies are at
///         their canonical addresses.
abstract contract PermitTest is HubTest {
    TestPermit2 internal constant PERMIT2 =
        TestPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    address internal constant EXACT = 0x402085c248EeA27D92E8b30b2C58ed07f9E20001;
    address internal constant UPTO = 0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002;
    uint256 internal constant PERMIT_GAS = 300_000;

    address internal payer;
    address internal forwarder;

    function setUp() public virtual override {
        super.setUp();
        vm.etch(address(PERMIT2), address(new TestPermit2()).code);
        vm.etch(EXACT, address(new TestExactProxy()).code);
        vm.etch(UPTO, address(new TestUptoProxy()).code);
        payer = vm.addr(PAYER_KEY);
        forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(payer, 1_000e6);
        vm.prank(payer);
        usdc.approve(address(PERMIT2), type(uint256).max);
    }

    function paymentOf(uint256 permitted, uint256 amount, uint256 nonce)
        internal
        view
        returns (IRemitHub.PermitPayment memory item)
    {
        item.token = address(usdc);
        (item.from, item.to) = (payer, forwarder);
        (item.permitted, item.amount, item.nonce) = (permitted, amount, nonce);
        (item.deadline, item.validAfter) = (block.timestamp + 1 hours, block.timestamp);
    }

    function uptoOf(uint256 permitted, uint256 amount, uint256 nonce)
        internal
        view
        returns (IRemitHub.PermitPayment memory item)
    {
        item = paymentOf(permitted, amount, nonce);
        item.signature = signedFor(UPTO, address(hub), item);
    }

    function exactOf(uint256 amount, uint256 nonce)
        internal
        view
        returns (IRemitHub.PermitPayment memory item)
    {
        item = paymentOf(amount, amount, nonce);
        item.signature = signedFor(EXACT, address(0), item);
    }

    /// @dev What an x402 client signs, spelled out; `facilitator` is part of it for `upto` only.
    function signedFor(address spender, address facilitator, IRemitHub.PermitPayment memory item)
        internal
        view
        returns (bytes memory)
    {
        string memory witnessType = spender == UPTO
            ? "Witness(address to,address facilitator,uint256 validAfter)"
            : "Witness(address to,uint256 validAfter)";
        bytes32 witness = spender == UPTO
            ? keccak256(
                abi.encode(keccak256(bytes(witnessType)), item.to, facilitator, item.validAfter)
            )
            : keccak256(abi.encode(keccak256(bytes(witnessType)), item.to, item.validAfter));
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)TokenPermissions(address token,uint256 amount)",
                witnessType
            )
        );
        bytes32 permissions = keccak256(
            abi.encode(
                keccak256("TokenPermissions(address token,uint256 amount)"),
                item.token,
                item.permitted
            )
        );
        bytes32 message = keccak256(
            abi.encode(typeHash, permissions, spender, item.nonce, item.deadline, witness)
        );
        return packed(PAYER_KEY, Signing.digest(PERMIT2.DOMAIN_SEPARATOR(), message));
    }

    /// @dev The payer's EIP-2612 permit for Permit2.
    function permit2612(uint256 value) internal view returns (bytes memory) {
        bytes32 digest = Signing.digest(
            usdc.DOMAIN_SEPARATOR(),
            keccak256(
                abi.encode(
                    usdc.PERMIT_TYPEHASH(),
                    payer,
                    address(PERMIT2),
                    value,
                    usdc.nonces(payer),
                    block.timestamp + 1 hours
                )
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(PAYER_KEY, digest);
        return abi.encode(
            IPermitProxy.EIP2612Permit(value, block.timestamp + 1 hours, r, s, v)
        );
    }

    function settlePermit(address proxy, IRemitHub.PermitPayment memory item) internal {
        IRemitHub.PermitPayment[] memory items = new IRemitHub.PermitPayment[](1);
        items[0] = item;
        vm.prank(RELAYER);
        if (proxy == UPTO) hub.settleUpto(items, PERMIT_GAS);
        else hub.settleExact(items, PERMIT_GAS);
    }

    function expectPermitRefused(
        address proxy,
        IRemitHub.PermitPayment memory item,
        bytes memory reason
    ) internal {
        uint256 held = usdc.balanceOf(payer);
        vm.expectEmit(address(hub));
        emit IRemitHub.PermitFailed(item.from, item.nonce, reason);
        settlePermit(proxy, item);
        vm.assertEq(usdc.balanceOf(payer), held, "nothing moved");
    }

    function expectSettled(address proxy, IRemitHub.PermitPayment memory item) internal {
        uint256 held = usdc.balanceOf(item.to);
        vm.expectEmit(address(hub));
        emit IRemitHub.PermitSettled(item.from, item.nonce, item.token, item.to, item.amount);
        settlePermit(proxy, item);
        vm.assertEq(usdc.balanceOf(item.to), held + item.amount, "paid");
    }
}

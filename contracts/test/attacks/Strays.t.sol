// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {TaxedToken} from "../doubles/Tokens.sol";
import {Collectible} from "./support/HostileTokens.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice Money and things that were sent where they do not belong have an exit, and it is no way
///         to another party's money.
contract StraysAttack is LiveHub {

    function test_tokens_on_the_hub_and_on_the_implementation_have_an_exit() public {
        address implementation = hub.forwarderImplementation();
        usdc.mint(address(hub), 5e6);
        usdc.mint(implementation, 7e6);
        execute(abi.encodeCall(hub.recover, (address(hub), address(usdc), CUSTOMER, 5e6)));
        execute(abi.encodeCall(hub.recover, (implementation, address(usdc), CUSTOMER, 7e6)));
        vm.assertEq(usdc.balanceOf(CUSTOMER), 12e6, "both");
    }

    function test_native_coin_on_the_hub_and_on_the_implementation_has_an_exit() public {
        address implementation = hub.forwarderImplementation();
        vm.deal(address(hub), 1 ether);
        vm.deal(implementation, 2 ether);
        execute(abi.encodeCall(hub.recover, (address(hub), address(0), CUSTOMER, 1 ether)));
        execute(abi.encodeCall(hub.recover, (implementation, address(0), CUSTOMER, 2 ether)));
        vm.assertEq(CUSTOMER.balance, 3 ether, "both");
    }

    function test_recovery_reaches_no_clone() public {
        address forwarder = hub.deployForwarder(MERCHANT);
        usdc.mint(forwarder, 5e6);
        bytes memory call =
            abi.encodeCall(hub.recover, (forwarder, address(usdc), THIEF, 5e6));
        proposeAndWait(call);
        expectRefused(
            OWNER,
            call,
            abi.encodeWithSelector(IHubErrors.WrongSource.selector, forwarder, address(hub))
        );
    }

    function test_things_on_clones_have_an_exit() public {
        Collectible thing = new Collectible();
        address forwarder = hub.deployForwarder(MERCHANT);
        address deposit = depositOf(INVOICE);
        usdc.mint(deposit, 1e6);
        sweepAsItIs(sweepOf(INVOICE, address(usdc), 1e6, 0));
        thing.mint(forwarder, 1);
        thing.mint(deposit, 2);
        execute(callTo(forwarder, address(thing), thing.move(forwarder, CUSTOMER, 1)));
        execute(callTo(deposit, address(thing), thing.move(deposit, CUSTOMER, 2)));
        vm.assertEq(thing.ownerOf(1), CUSTOMER, "out of a forwarder");
        vm.assertEq(thing.ownerOf(2), CUSTOMER, "out of a deposit");
    }

    /// @dev A call in a clone's name may go to anything but what holds or moves customers' money.
    function test_that_exit_is_no_way_to_listed_money() public {
        address forwarder = hub.deployForwarder(MERCHANT);
        address other = hub.deployForwarder(NEW_MERCHANT);
        usdc.mint(forwarder, 5e6);
        bytes memory transfer = abi.encodeCall(usdc.transfer, (THIEF, 5e6));
        address[4] memory targets =
            [address(usdc), address(hub), hub.forwarderImplementation(), other];
        for (uint256 i; i < targets.length; ++i) {
            bytes memory call = callTo(forwarder, targets[i], transfer);
            proposeAndWait(call);
            expectRefused(
                OWNER,
                call,
                abi.encodeWithSelector(IHubErrors.TargetNotAllowed.selector, targets[i])
            );
        }
        vm.assertEq(usdc.balanceOf(forwarder), 5e6, "untouched");
    }

    function test_a_call_is_only_made_from_a_clone() public {
        Collectible thing = new Collectible();
        bytes memory call = callTo(THIEF, address(thing), thing.move(THIEF, CUSTOMER, 1));
        proposeAndWait(call);
        expectRefused(
            OWNER, call, abi.encodeWithSelector(IHubErrors.NotDeployed.selector, THIEF)
        );
    }

    /// @dev A token that is on no list is refunded with the owner's approval.
    function test_any_token_can_be_refunded() public {
        TaxedToken other = new TaxedToken();
        address deposit = depositOf(INVOICE);
        other.mint(deposit, 100e6);
        IRemitHub.DepositRefund memory item =
            refundBy(REFUND_KEY, INVOICE, address(other), CUSTOMER, 100e6);
        refund(item);
        vm.assertEq(other.balanceOf(CUSTOMER), 0, "not without the owner");
        bytes32 digest = digestOf(item.refund);
        vm.prank(OWNER);
        hub.approveRefund(digest);
        refund(item);
        vm.assertEq(other.balanceOf(CUSTOMER), 99e6, "all that the token transfers");
        vm.assertEq(other.balanceOf(deposit), 0, "nothing is left behind");
    }

    function test_a_clone_pays_nobody_but_the_hub() public {
        address forwarder = hub.deployForwarder(MERCHANT);
        usdc.mint(forwarder, 5e6);
        vm.deal(forwarder, 1 ether);
        bytes[3] memory calls = [
            abi.encodeWithSignature(
                "pay(address,address,uint256,address,uint256,uint256,uint256)",
                address(usdc), THIEF, 5e6, address(0), 0, 0, 0
            ),
            abi.encodeWithSignature("payNative(address,uint256)", THIEF, 1 ether),
            abi.encodeWithSignature(
                "call(address,bytes)",
                address(usdc),
                abi.encodeCall(usdc.transfer, (THIEF, 5e6))
            )
        ];
        address[2] memory targets = [forwarder, hub.forwarderImplementation()];
        for (uint256 i; i < calls.length; ++i) {
            for (uint256 j; j < targets.length; ++j) {
                vm.prank(OWNER);
                (bool ok,) = targets[j].call(calls[i]);
                vm.assertFalse(ok, "only the hub");
            }
        }
        vm.assertEq(usdc.balanceOf(forwarder), 5e6, "untouched");
    }

    function callTo(address clone, address target, bytes memory data)
        private
        view
        returns (bytes memory)
    {
        return abi.encodeCall(hub.recoverCall, (clone, target, data));
    }

    function execute(bytes memory call) private {
        proposeAndWait(call);
        asOwner(call);
    }
}

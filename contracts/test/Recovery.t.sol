// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Forwarder} from "../src/Forwarder.sol";
import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {TestUSDT} from "./stand-ins/TestUSDT.sol";
import {Collectible} from "./doubles/Collectible.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice What was sent where it does not belong has an exit, and nothing else has it.
contract RecoveryTest is HubTest {
    address private implementation;
    address private clone;
    Collectible private nft;

    function setUp() public override {
        super.setUp();
        implementation = hub.forwarderImplementation();
        clone = hub.deployForwarder(MERCHANT);
        nft = new Collectible();
        usdc.mint(clone, 100e6);
    }

    function recover(address source, address token, address to, uint256 amount) private {
        asOwner(abi.encodeCall(hub.recover, (source, token, to, amount)));
    }

    function recoverCall(address from, address target, bytes memory data) private {
        asOwner(abi.encodeCall(hub.recoverCall, (from, target, data)));
    }

    function expectRefused(bytes memory data, bytes memory reason) private {
        vm.prank(OWNER);
        (bool ok, bytes memory answer) = address(hub).call(data);
        vm.assertFalse(ok, "refused");
        vm.assertEq(answer, reason, "for this reason");
    }

    function expectCallRefused(address from, address target, bytes memory reason) private {
        expectRefused(abi.encodeCall(hub.recoverCall, (from, target, "")), reason);
    }

    function test_tokens_leave_the_hub_and_the_implementation() public {
        address[2] memory sources = [address(hub), implementation];
        for (uint256 i; i < 2; ++i) {
            usdc.mint(sources[i], 5e6);
            usdt.mint(sources[i], 7e6);
            vm.expectEmit(address(hub));
            emit IRemitHub.Recovered(sources[i], address(usdc), RECIPIENT, 5e6);
            recover(sources[i], address(usdc), RECIPIENT, 5e6);
            recover(sources[i], address(usdt), RECIPIENT, 7e6);
        }
        vm.assertEq(usdc.balanceOf(RECIPIENT), 10e6, "usdc");
        vm.assertEq(usdt.balanceOf(RECIPIENT), 14e6, "usdt");
    }

    function test_native_coin_leaves_the_hub_and_the_implementation() public {
        address[2] memory sources = [address(hub), implementation];
        for (uint256 i; i < 2; ++i) {
            vm.deal(sources[i], 3 ether);
            recover(sources[i], address(0), RECIPIENT, 1 ether);
            bytes memory reason = abi.encodeWithSelector(
                Forwarder.NativeTransferFailed.selector, 2 ether, 3 ether
            );
            expectRefused(
                abi.encodeCall(hub.recover, (sources[i], address(0), RECIPIENT, 3 ether)), reason
            );
        }
        vm.assertEq(RECIPIENT.balance, 2 ether, "receiver");
    }

    function test_nothing_is_recovered_from_anywhere_else() public {
        address[3] memory sources = [clone, RECIPIENT, address(usdc)];
        for (uint256 i; i < 3; ++i) {
            bytes memory reason =
                abi.encodeWithSelector(IHubErrors.WrongSource.selector, sources[i], address(hub));
            expectRefused(
                abi.encodeCall(hub.recover, (sources[i], address(usdc), OWNER, 1)), reason
            );
            expectRefused(abi.encodeCall(hub.recover, (sources[i], address(0), OWNER, 0)), reason);
        }
    }

    function test_nothing_is_recovered_to_nobody_or_to_the_hub() public {
        usdc.mint(implementation, 1);
        expectRefused(
            abi.encodeCall(hub.recover, (implementation, address(usdc), address(0), 1)),
            abi.encodeWithSelector(IHubErrors.ZeroAddress.selector)
        );
        expectRefused(
            abi.encodeCall(hub.recover, (implementation, address(usdc), address(hub), 1)),
            abi.encodeWithSelector(IHubErrors.HubAsReceiver.selector, address(hub))
        );
    }

    function test_an_nft_leaves_a_clone() public {
        nft.mint(clone, 7);
        bytes memory data =
            abi.encodeWithSignature("transferFrom(address,address,uint256)", clone, RECIPIENT, 7);
        vm.expectEmit(address(hub));
        emit IRemitHub.RecoveredByCall(clone, address(nft), data);
        recoverCall(clone, address(nft), data);
        vm.assertEq(nft.ownerOf(7), RECIPIENT, "receiver");
    }

    function test_a_call_that_fails_says_why() public {
        vm.expectRevert(words("not yours"));
        recoverCall(
            clone,
            address(nft),
            abi.encodeWithSignature("transferFrom(address,address,uint256)", clone, RECIPIENT, 8)
        );
    }

    function test_a_token_that_is_not_listed_leaves_by_a_call() public {
        TestUSDT token = new TestUSDT();
        token.mint(clone, 9);
        recoverCall(clone, address(token), abi.encodeCall(token.transfer, (RECIPIENT, 9)));
        vm.assertEq(token.balanceOf(RECIPIENT), 9, "receiver");
    }

    function test_no_listed_token_clone_or_part_of_the_hub_is_called() public {
        address other = hub.deployForwarder(OTHER_MERCHANT);
        address[5] memory targets = [address(usdc), clone, other, address(hub), implementation];
        for (uint256 i; i < 5; ++i) {
            expectCallRefused(
                clone,
                targets[i],
                abi.encodeWithSelector(IHubErrors.TargetNotAllowed.selector, targets[i])
            );
        }
        expectCallRefused(
            clone, STRANGER, abi.encodeWithSelector(IHubErrors.NotAToken.selector, STRANGER)
        );
    }

    /// @dev Only what this hub's implementation runs is called: no other contract is made to call.
    function test_only_clones_can_be_made_to_call() public {
        address undeployed = hub.forwarderAddress(OTHER_MERCHANT);
        address ofAnother = newHub("live").deployForwarder(MERCHANT);
        address[4] memory others = [undeployed, ofAnother, implementation, address(hub)];
        for (uint256 i; i < 4; ++i) {
            expectCallRefused(
                others[i],
                address(nft),
                abi.encodeWithSelector(IHubErrors.NotDeployed.selector, others[i])
            );
        }
    }

    function test_a_deposit_is_a_clone_too() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1, 0);
        address deposit = depositOf(item);
        usdc.mint(deposit, 1);
        sweep(item);
        nft.mint(deposit, 7);
        recoverCall(
            deposit,
            address(nft),
            abi.encodeWithSignature("transferFrom(address,address,uint256)", deposit, RECIPIENT, 7)
        );
        vm.assertEq(nft.ownerOf(7), RECIPIENT, "receiver");
    }

    function test_both_wait_for_the_owners_delay() public {
        harden();
        usdc.mint(address(hub), 5e6);
        nft.mint(clone, 7);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(hub.recover, (address(hub), address(usdc), RECIPIENT, 5e6));
        calls[1] = abi.encodeCall(
            hub.recoverCall,
            (
                clone,
                address(nft),
                abi.encodeWithSignature(
                    "transferFrom(address,address,uint256)", clone, RECIPIENT, 7
                )
            )
        );
        for (uint256 i; i < 2; ++i) {
            expectRefused(
                calls[i],
                abi.encodeWithSelector(IHubErrors.NotProposed.selector, keccak256(calls[i]))
            );
            proposeAndExecute(calls[i]);
        }
        vm.assertEq(usdc.balanceOf(RECIPIENT), 5e6, "the token");
        vm.assertEq(nft.ownerOf(7), RECIPIENT, "the NFT");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestUSDT} from "../src/tokens/TestUSDT.sol";
import {Test} from "./support/Test.sol";

/// @notice The stand-in behaves as Tether's token does where that differs from the standard.
contract TestUSDTTest is Test {
    address private constant ALICE = address(0xA11CE);
    address private constant BOB = address(0xB0B);

    TestUSDT private usdt;

    function setUp() public {
        vm.startPrank(address(this), address(this));
        usdt = new TestUSDT();
        vm.stopPrank();
        usdt.mint(ALICE, 100e6);
    }

    function test_its_owner_is_who_pays_for_the_deployment() public {
        vm.startPrank(ALICE, BOB);
        vm.assertEq(new TestUSDT().owner(), BOB, "owner");
        vm.stopPrank();
    }

    function test_calls_return_nothing() public {
        vm.startPrank(ALICE);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(usdt.transfer, (BOB, 1e6));
        calls[1] = abi.encodeCall(usdt.approve, (BOB, 1e6));
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory answer) = address(usdt).call(calls[i]);
            vm.assertTrue(ok, "succeeds");
            vm.assertEq(answer.length, 0, "returns nothing");
        }
        vm.stopPrank();
        vm.prank(BOB);
        usdt.transferFrom(ALICE, BOB, 1e6);
        vm.assertEq(usdt.balanceOf(BOB), 2e6, "both arrived");
    }

    function test_a_lack_of_balance_burns_all_gas() public {
        uint256 before = gasleft();
        vm.prank(ALICE);
        (bool ok, bytes memory answer) =
            address(usdt).call{gas: 100_000}(abi.encodeCall(usdt.transfer, (BOB, 101e6)));
        vm.assertFalse(ok, "refused");
        vm.assertEq(answer.length, 0, "without a word");
        vm.assertTrue(before - gasleft() > 100_000, "at the full price");
    }

    function test_the_blacklist_stops_only_the_sender() public {
        usdt.addBlackList(BOB);
        vm.prank(ALICE);
        usdt.transfer(BOB, 1e6);
        vm.expectRevert(bytes(""));
        vm.prank(BOB);
        usdt.transfer(ALICE, 1e6);
        usdt.removeBlackList(BOB);
        vm.prank(BOB);
        usdt.transfer(ALICE, 1e6);
    }

    function test_an_allowance_changes_only_from_or_to_zero() public {
        vm.startPrank(ALICE);
        usdt.approve(BOB, 5e6);
        vm.expectRevert(bytes(""));
        usdt.approve(BOB, 6e6);
        usdt.approve(BOB, 0);
        usdt.approve(BOB, type(uint256).max);
        vm.stopPrank();
        vm.prank(BOB);
        usdt.transferFrom(ALICE, BOB, 1e6);
        vm.assertEq(usdt.allowance(ALICE, BOB), type(uint256).max, "unlimited stays unlimited");
    }

    function test_a_pause_stops_transfers() public {
        usdt.pause();
        vm.expectRevert(bytes(""));
        vm.prank(ALICE);
        usdt.transfer(BOB, 1);
        usdt.unpause();
        vm.prank(ALICE);
        usdt.transfer(BOB, 1);
    }

    function testFuzz_only_the_owner_issues_and_blocks(address caller) public {
        vm.assume(caller != address(this));
        vm.startPrank(caller);
        vm.expectRevert(bytes(""));
        usdt.mint(caller, 1);
        vm.expectRevert(bytes(""));
        usdt.addBlackList(ALICE);
        vm.expectRevert(bytes(""));
        usdt.pause();
        vm.stopPrank();
    }
}

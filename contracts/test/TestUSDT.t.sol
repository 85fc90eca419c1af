// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestUSDT} from "./stand-ins/TestUSDT.sol";
import {Test} from "./support/Test.sol";

/// @notice The stand-in behaves as Tether's token does where that differs from the standard.
contract TestUSDTTest is Test {
    address private constant ALICE = address(0xA11CE);
    address private constant BOB = address(0xB0B);

    TestUSDT private usdt;

    function setUp() public {
        usdt = new TestUSDT();
        usdt.mint(ALICE, 100e6);
    }

    /// @dev The bytes don't depend on the deployer, who gains nothing by being first.
    function test_it_does_not_matter_who_deploys_it() public {
        bytes memory code = address(usdt).code;
        address owner = usdt.owner();
        vm.startPrank(ALICE, BOB);
        TestUSDT other = new TestUSDT();
        vm.stopPrank();
        vm.assertEq(address(other).code, code, "code");
        vm.assertEq(other.owner(), owner, "owner");
        for (uint256 slot; slot < 4; ++slot) {
            vm.assertEq(vm.load(address(other), bytes32(slot)), bytes32(0), "no state");
        }
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
        vm.assertEq(usdt.balanceOf(BOB), 2e6, "both received");
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
        address owner = usdt.owner();
        vm.prank(owner);
        usdt.addBlackList(BOB);
        vm.prank(ALICE);
        usdt.transfer(BOB, 1e6);
        vm.expectRevert(bytes(""));
        vm.prank(BOB);
        usdt.transfer(ALICE, 1e6);
        vm.prank(owner);
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
        address owner = usdt.owner();
        vm.prank(owner);
        usdt.pause();
        vm.expectRevert(bytes(""));
        vm.prank(ALICE);
        usdt.transfer(BOB, 1);
        vm.prank(owner);
        usdt.unpause();
        vm.prank(ALICE);
        usdt.transfer(BOB, 1);
    }

    function testFuzz_anybody_issues_but_nobody_can_end_it(address caller, uint256 amount) public {
        vm.startPrank(caller);
        (bool ok,) = address(usdt).call(abi.encodeCall(usdt.mint, (BOB, amount)));
        vm.assertEq(usdt.balanceOf(BOB), ok ? amount : 0, "issued");
        vm.assertTrue(ok == (amount <= 1e30), "up to a limit far from an overflow");
        vm.stopPrank();
    }

    function testFuzz_only_the_owner_pauses_and_blocks(address caller) public {
        vm.assume(caller != usdt.owner());
        vm.startPrank(caller);
        vm.expectRevert(bytes(""));
        usdt.addBlackList(ALICE);
        vm.expectRevert(bytes(""));
        usdt.removeBlackList(ALICE);
        vm.expectRevert(bytes(""));
        usdt.pause();
        vm.expectRevert(bytes(""));
        usdt.unpause();
        vm.stopPrank();
    }
}

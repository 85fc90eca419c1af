// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Forwarder} from "../src/Forwarder.sol";
import {BurningToken} from "./doubles/Tokens.sol";
import {Test} from "./support/Test.sol";

/// @notice The gas of the fee leg; this test is the hub.
contract ForwarderTest is Test {
    address private constant ALICE = address(0xA11CE);
    address private constant COLLECTOR = address(0xFEE5);
    uint256 private constant FEE_GAS = 80_000;
    uint256 private constant RESERVE = 50_000;

    Forwarder private forwarder;
    BurningToken private token;
    /// @dev What remained after a fee leg that burnt all it got.
    uint256 private remaining;

    function setUp() public {
        forwarder = new Forwarder();
        token = new BurningToken(COLLECTOR);
    }

    /// @dev The part of a hub: pays, and notes what gas is left to it.
    function pay() external returns (bool paid) {
        paid = forwarder.pay(address(token), ALICE, 90, COLLECTOR, 10, FEE_GAS, RESERVE);
        remaining = gasleft();
    }

    /// @dev For every supply of gas: nothing happens, or the reserve remains.
    function test_the_reserve_remains_after_a_fee_leg_that_burns_all() public {
        uint256 done;
        uint256 refused;
        for (uint256 supply = 120_000; supply < 300_000; supply += 1_000) {
            token.mint(address(forwarder), 100);
            uint256 held = token.balanceOf(address(forwarder));
            (bool ok, bytes memory answer) =
                address(this).call{gas: supply}(abi.encodeCall(this.pay, ()));
            if (ok) {
                ++done;
                vm.assertFalse(abi.decode(answer, (bool)), "the fee was refused");
                vm.assertLe(RESERVE, remaining, "the reserve");
                vm.assertEq(token.balanceOf(address(forwarder)), held - 90, "the first leg");
            } else {
                ++refused;
                vm.assertEq(token.balanceOf(address(forwarder)), held, "nothing moved");
            }
        }
        vm.assertTrue(done > 0 && refused > 0, "both must come about");
    }

    function test_a_fee_leg_that_cannot_be_given_its_gas_says_so() public {
        token.mint(address(forwarder), 100);
        vm.expectPartialRevert(Forwarder.FeeGasTooLow.selector);
        forwarder.pay{gas: 200_000}(
            address(token), ALICE, 90, COLLECTOR, 10, FEE_GAS, 10 * RESERVE
        );
    }

    function test_without_a_fee_its_gas_does_not_matter() public {
        token.mint(address(forwarder), 100);
        bool paid = forwarder.pay(
            address(token), ALICE, 90, COLLECTOR, 0, type(uint256).max, type(uint256).max
        );
        vm.assertTrue(paid, "paid");
        vm.assertEq(token.balanceOf(ALICE), 90, "receiver");
    }

    function test_a_call_passes_on_what_it_answers_to() public {
        vm.expectRevert();
        forwarder.call(address(token), abi.encodeWithSignature("nothing()"));
        forwarder.call(address(token), abi.encodeWithSignature("mint(address,uint256)", ALICE, 3));
        vm.assertEq(token.balanceOf(ALICE), 3, "called");
    }
}
